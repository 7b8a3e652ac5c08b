package app

import (
	"slices"
	"strings"
	"testing"
)

func TestReorder(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"onetime gzero", "onetime -- gzero"},
		{"onetime -s 4096 gzero", "onetime --s=4096 -- gzero"},
		{"onetime gzero -s 4096", "onetime --s=4096 -- gzero"},
		{"onetime gzero -s4096", "onetime --s=4096 -- gzero"},
		{"onetime gzero -s=4096", "onetime --s=4096 -- gzero"},
		{"onetime gzero --bs=1m --count 4", "onetime --bs=1m --count=4 -- gzero"},
		{"onetime -dT gzero -Rs 4k", "onetime --d --T --R --s=4k -- gzero"},
		{"onetime -ds4k gzero", "onetime --d --s=4k -- gzero"},
		{"onetime -bs 1m gzero", "onetime --bs=1m -- gzero"},
		{"onetime -- -s 4096", "onetime -- -s 4096"},
		{"onetime -s 512 -- gzero --json", "onetime --s=512 -- gzero --json"},
		{"onetime - -s 512", "onetime --s=512 -- -"},
		{"onetime --byte -- gzero", "onetime --byte=-- -- gzero"}, // a value, however odd, belongs to its flag
		{"onetime --clear=false gzero", "onetime --clear=false -- gzero"},
		{"onetime gzero --help", "onetime --help --"},
		{"onetime -h", "onetime --help --"},
		{"-v", "--version"},
		{"--help", "--help"},
		{"", ""},
		{"-- onetime gzero -s 4096", "onetime --s=4096 -- gzero"},
		{"help onetime", "help -- onetime"},
	} {
		got, err := reorder(New(System()), append([]string{"gelibench"}, strings.Fields(c.in)...))
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if want := append([]string{"gelibench"}, strings.Fields(c.want)...); !slices.Equal(got, want) {
			t.Errorf("%s becomes %v, not %v", c.in, got, want)
		}
	}
	for _, c := range []struct{ in, text, hint string }{
		{"onetim gzero", "onetim", "did you mean onetime?"},
		{"frobnicate", "frobnicate", "--help lists"},
		{"onetime --workres 2 gzero", "--workres", "did you mean --workers?"},
		{"onetime gzero -s", "-s needs a value", ""},
		{"onetime gzero -dTs", "-s needs a value", ""},
		{"onetime gzero --bs", "--bs needs a value", ""},
		{"onetime gzero -x", "-x", ""},
		{"onetime gzero -dx", "-dx", ""},
		{"onetime gzero -é", "-é", ""},
		{"onetime gzero ---", "---", ""},
		{"onetime gzero --clear=yes", "takes no value", ""},
		{"onetime gzero -s 512 -s 4096", "twice", "commas"},
		{"onetime gzero -s 512 -s4096", "twice", "commas"},
		{"-s 512 onetime gzero", "-s", ""},
		{"- onetime gzero", `no verb "-"`, ""},
		{"engines --json", "--json", ""},
	} {
		_, err := reorder(New(System()), append([]string{"gelibench"}, strings.Fields(c.in)...))
		switch {
		case err == nil:
			t.Errorf("%s is accepted", c.in)
		case exitCode(err) != exitUsage || !strings.Contains(err.Error(), c.text) || !strings.Contains(hintOf(err), c.hint):
			t.Errorf("%s: exit code %d, %v, hint %q; want %q and %q", c.in, exitCode(err), err, hintOf(err), c.text, c.hint)
		}
	}
}

func TestNearest(t *testing.T) {
	verbs := []string{"onetime", "engines", "selftest"}
	for word, want := range map[string]string{"onetiem": "onetime", "engine": "engines", "self-test": "selftest", "banana": "", "": "", "onetime": "onetime"} {
		if got := nearest(word, verbs); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

// Whatever the arguments, reordering neither panics nor loses an operand.
func FuzzReorder(f *testing.F) {
	f.Add("onetime gzero -s4096")
	f.Add("onetime -- -s")
	f.Add("-v --help x")
	f.Add("onetime -=é ---x=")
	app := New(System())
	f.Fuzz(func(t *testing.T, line string) {
		args := append([]string{"gelibench"}, strings.Split(line, " ")...)
		got, err := reorder(app, args)
		if err != nil {
			return
		}
		end := slices.Index(got, "--")
		if end < 0 || slices.Contains(got[:end], "--help") {
			return // help leaves operands aside
		}
		for _, operand := range got[end+1:] {
			if !slices.Contains(args, operand) {
				t.Errorf("%q: operand %q was not given", line, operand)
			}
		}
		for _, arg := range args[2:] {
			if !strings.HasPrefix(arg, "-") && !slices.ContainsFunc(got, func(g string) bool { return g == arg || strings.HasSuffix(g, "="+arg) }) {
				t.Errorf("%q: %q is lost in %q", line, arg, got)
			}
		}
	})
}

package pin

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two cores of two threads, numbered as Linux does it on x86, and two slower
// cores of one.
var hybrid = []CPU{
	{ID: 0, Core: 0}, {ID: 1, Core: 1}, {ID: 2, Core: 0}, {ID: 3, Core: 1},
	{ID: 4, Core: 4, Kind: 1}, {ID: 5, Core: 5, Kind: 1},
}

func TestList(t *testing.T) {
	adjacent := []CPU{{ID: 0, Core: 0}, {ID: 1, Core: 0}, {ID: 2, Core: 2}, {ID: 3, Core: 2}}
	for _, c := range []struct {
		list string
		cpus []CPU
		want []int
	}{
		{"auto", hybrid, []int{0, 1, 4, 5, 2, 3}},
		{"auto", adjacent, []int{0, 2, 1, 3}},
		{"auto", []CPU{{ID: 7, Core: 7}, {ID: 3, Core: 3}}, []int{3, 7}},
		{"auto", []CPU{{ID: 0, Core: 0, Kind: 1}, {ID: 1, Core: 1}}, []int{1, 0}},
		{"0,2-3", hybrid, []int{0, 2, 3}},
		{"3,0", hybrid, []int{3, 0}}, // the user's order
		{"9", nil, []int{9}},
	} {
		got, err := List(c.list, c.cpus)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%q of %v: %v, -want +got:\n%s", c.list, c.cpus, err, diff)
		}
	}
	for list, word := range map[string]string{
		"": "neither", "1-": "neither", "a": "neither", "3-2": "neither", "-1": "neither", "99999999": "neither",
		"0,0": "twice", "0-2,1": "twice", "6": "only 0-5", "4-7": "no CPU 6",
	} {
		got, err := List(list, hybrid)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: %v, %v; want an error with %q", list, got, err, word)
		}
	}
	if got, err := List(Auto, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("auto of nothing: %v, %v", got, err)
	}
}

func TestParseFormat(t *testing.T) {
	for list, want := range map[string][]int{
		"": nil, "0": {0}, "0-3": {0, 1, 2, 3}, "8,0-1": {0, 1, 8}, "1-2,2-3": {1, 2, 3},
	} {
		got, err := Parse(list)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v, -want +got:\n%s", list, err, diff)
		}
	}
	for _, list := range []string{"x", "1,,2", "2-1", "0-99999"} {
		if got, err := Parse(list); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v, %v; want an error", list, got, err)
		}
	}
	for want, ids := range map[string][]int{"": nil, "5": {5}, "0-2,7": {0, 1, 2, 7}, "3,0-1": {3, 0, 1}} {
		if got := Format(ids); got != want {
			t.Errorf("%v: %q, want %q", ids, got, want)
		}
	}
}

// A bound thread may run on that CPU only, and no other goroutine gets the
// thread afterwards.
func TestThread(t *testing.T) {
	if runtime.GOOS != "linux" {
		if err := Thread(0); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error %v does not say that this is not available", err)
		}
		return
	}
	before := allowedHere(t)
	ids, err := Parse(before)
	if err != nil || len(ids) == 0 {
		t.Fatalf("mask %q: %v", before, err)
	}
	want := ids[len(ids)-1]
	got := make(chan string)
	go func() {
		runtime.LockOSThread() // and ends so
		if err := Thread(want); err != nil {
			got <- err.Error()
			return
		}
		got <- allowedHere(t)
	}()
	if mask := <-got; mask != Format([]int{want}) {
		t.Errorf("bound to CPU %d: %s", want, mask)
	}
	for range 32 {
		go func() { got <- allowedHere(t) }()
		if mask := <-got; mask != before {
			t.Fatalf("a later goroutine may run on %s, not %s", mask, before)
		}
	}
	for _, cpu := range []int{-1, 1 << 20} {
		if err := Thread(cpu); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("binding to CPU %d: %v", cpu, err)
		}
	}
}

// allowedHere is the affinity mask of the calling thread.
func allowedHere(t *testing.T) string {
	b, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		t.Error(err)
		return ""
	}
	_, after, _ := strings.Cut(string(b), "Cpus_allowed_list:")
	mask, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(mask)
}

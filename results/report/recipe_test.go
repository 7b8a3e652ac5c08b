package report

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The commands of a text are recipes, whether a figure follows or not.
func TestRecipes(t *testing.T) {
	const text = `Please run this:
> # kldload geom_eli geom_zero
> # sysctl kern.geom.zero.clear=0
> # geli onetime -s 4096 -l 256 -e aes-cbc gzero
> # dd if=/dev/gzero.eli of=/dev/null bs=1m count=4096
> # geli kill gzero
> # geli onetime -s 4k -e aes-xts gzero
> # dd if=/dev/zero of=/dev/gzero.eli bs=64k count=4
> # dd if=/dev/zero of=/dev/null bs=64k count=4
$ openssl speed -evp aes-256-cbc -decrypt -bytes 4096
$ gelibench onetime -s512,4k -e aes-cbc --op both --bs=64k gzero
$ cryptsetup benchmark -c aes-xts-plain64 -s 512
`
	rep, err := Read(strings.NewReader(text), "x")
	if !errors.Is(err, ErrNoResults) {
		t.Fatalf("%v, %+v", err, rep.Results)
	}
	var got []string
	for _, r := range rep.Recipes {
		clear := "-"
		if r.Clear != nil {
			clear = fmt.Sprint(*r.Clear)
		}
		got = append(got, fmt.Sprintf("%d %s %s %d s%d b%d %s clear=%s", r.Line, r.Tool, r.Result().Alg(), r.KeyBits, r.Sector, r.BlockBytes, r.Direction, clear))
	}
	want := []string{
		"5 dd aes-cbc 256 s4096 b1048576 read clear=false",
		"8 dd aes-xts 128 s4096 b65536 write clear=false",
		"10 openssl speed aes-cbc 256 s0 b4096 decrypt clear=-",
		"11 dd aes-cbc 128 s512 b65536 read clear=-",
		"11 dd aes-cbc 128 s512 b65536 write clear=-",
		"11 dd aes-cbc 128 s4096 b65536 read clear=-",
		"11 dd aes-cbc 128 s4096 b65536 write clear=-",
		"12 cryptsetup benchmark aes-xts 256 s0 b0 encrypt clear=-",
		"12 cryptsetup benchmark aes-xts 256 s0 b0 decrypt clear=-",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

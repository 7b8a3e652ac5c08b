package app

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gelibench/geli"
	"gelibench/geli/engine"
)

// runMain runs a command line and returns what it wrote to stdout.
func runMain(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := System()
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(""), &stdout, &stderr
	if code := Main(append([]string{"gelibench"}, args...), env); code != exitDone {
		t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.Bytes()
}

// Whatever goes into an image comes out of it, for every metadata version with
// every cipher and integrity mode that it has; what was not written stays; and
// the plaintext is not in the image, but with the null cipher.
func TestImageRoundTrip(t *testing.T) {
	dir := t.TempDir()
	pass := filepath.Join(dir, "pass")
	if err := os.WriteFile(pass, []byte("correct horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const seed = 20261130
	draw := rand.New(rand.NewPCG(seed, 1))
	kinds := 0
	for version := range geli.NewestVersion + 1 {
		for _, alg := range []engine.Alg{engine.AESXTS, engine.AESCBC, engine.CamelliaCBC, engine.Null} {
			for _, auth := range []geli.AAlg{0, geli.HMACSHA1, geli.HMACRIPEMD160, geli.HMACSHA256, geli.HMACSHA384, geli.HMACSHA512} {
				md := geli.Metadata{Version: version, Alg: alg, KeyBits: engine.Params{Alg: alg}.Default().KeyBits, AAlg: auth, SectorSize: 512}
				if auth != 0 {
					md.Flags |= geli.FlagAuth
				}
				if md.Check() != nil {
					continue // the version does not have it
				}
				kinds++
				if testing.Short() && kinds%5 != 0 {
					continue
				}
				args := []string{"-V", fmt.Sprint(version), "-e", alg.String(), "-s", []string{"512", "4096", "8k"}[kinds%3]}
				if kinds%2 == 0 && alg != engine.Null {
					args = append(args, "-l", "256")
				}
				if auth != 0 {
					args = append(args, "-a", auth.String())
				}
				if kinds%4 == 0 && kinds%3 != 0 {
					args = append(args, "--provider-sector", "4096")
				}
				if kinds%7 == 0 {
					args = append(args, "--fill")
				}
				t.Run(strings.Join(args, " "), func(t *testing.T) {
					image := filepath.Join(dir, fmt.Sprint("image", kinds))
					runMain(t, append([]string{"init", "-i", "10", "-J", pass, "--size", "128k", image}, args...)...)
					imageRoundTrip(t, draw, dir, pass, image, alg)
				})
			}
		}
	}
	// 2 of version 0, 12 of 1 to 3, 18 of 4 and 24 of 5 to 7.
	if want := 2 + 3*12 + 18 + 3*24; kinds != want {
		t.Errorf("%d kinds of images, want %d", kinds, want)
	}
}

// imageRoundTrip writes two stretches that overlap and reads them again.
func imageRoundTrip(t *testing.T, draw *rand.Rand, dir, pass, image string, alg engine.Alg) {
	const room = 32 << 10 // every image has more inside
	content := make([]byte, room)
	known := make([]bool, room)
	from, to := room, 0
	for range 2 {
		length := 1 + draw.IntN(room/2)
		off := draw.IntN(room - length)
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(draw.Uint32())
			known[off+i] = true
		}
		copy(content[off:], data)
		from, to = min(from, off), max(to, off+length)
		file := filepath.Join(dir, "data")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runMain(t, "attach", "-j", pass, "--put", fmt.Sprintf("%s@%d", file, off), image)
	}
	checked := 0
	for at := from; at < to; {
		end := at
		for end < to && known[end] {
			end++
		}
		if end == at { // a gap between the two
			at++
			continue
		}
		got := runMain(t, "attach", "-j", pass, "--cat", fmt.Sprintf("%d,%d", at, end-at), image)
		if !bytes.Equal(got, content[at:end]) {
			t.Errorf("other bytes came out at %d, of %d", at, end-at)
		}
		raw, err := os.ReadFile(image)
		if err != nil {
			t.Fatal(err)
		}
		if probe := content[at:end]; alg != engine.Null && len(probe) > 64 && bytes.Contains(raw, probe[len(probe)/2:][:16]) {
			t.Error("the plaintext lies in the image")
		}
		checked += end - at
		at = end
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}

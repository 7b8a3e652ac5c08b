package history

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gelibench/results"
	"gelibench/results/format"

	"github.com/google/go-cmp/cmp"
)

// run makes a run that differs from others in n.
func run(n int) results.Run {
	return results.Run{
		Schema: 1, Tool: "gelibench", Version: "v1.2.3", Start: time.Date(2026, 11, 30, 14, 5, n, 0, time.UTC),
		Command: []string{"gelibench", "onetime", "--count", fmt.Sprint(n), `{"schema":1,"entry":{`, "}\n"},
		Host:    results.Host{OS: "linux", CPUModel: "AMD <EPYC>\u2028"},
		Series: []results.Series{
			{Case: results.Case{Alg: "aes-xts", KeyBits: 256}, Samples: []results.Sample{{Bytes: 1000, Requests: 1, ElapsedNS: int64(1000 + n)}, {Bytes: 1000, Requests: 1, ElapsedNS: 1000}}},
			{Case: results.Case{Alg: "aes-cbc", KeyBits: 256}, Samples: []results.Sample{{Bytes: 3000, Requests: 1, ElapsedNS: 1000}}},
			{Case: results.Case{Alg: "null"}},
		},
		Grade: results.Fair,
	}
}

func tempHistory(t testing.TB) *File {
	return Open(filepath.Join(t.TempDir(), "a", "b", "history.jsonl"))
}

func appendRuns(t testing.TB, f *File, first, last int) (ids []string) {
	t.Helper()
	for n := first; n <= last; n++ {
		e, err := f.Append(run(n))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	return ids
}

func mustList(t testing.TB, f *File) Listing {
	t.Helper()
	l, err := f.List()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func names(entries []Entry) (ids []string) {
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return ids
}

func raw(t testing.TB, f *File) []byte {
	t.Helper()
	data, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, f *File, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.Path()), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path(), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAppendListLoad(t *testing.T) {
	f := tempHistory(t)
	if l := mustList(t, f); len(l.Entries) != 0 || len(l.Damaged) != 0 {
		t.Errorf("no file: %+v", l)
	}
	ids := appendRuns(t, f, 1, 3)
	l := mustList(t, f)
	if diff := cmp.Diff(ids, names(l.Entries)); diff != "" || len(l.Damaged) != 0 {
		t.Fatalf("-appended +listed:\n%s\ndamaged %v", diff, l.Damaged)
	}
	e := l.Entries[1]
	if e.Cases != 3 || e.Samples != 3 || e.HighBytesPerSecond != 3e9 || e.LowBytesPerSecond != run(2).Series[0].BytesPerSecond() ||
		!e.Start.Equal(run(2).Start) || e.Grade != results.Fair || cmp.Diff(e.Command, run(2).Command) != "" || e.CPUModel != run(2).Host.CPUModel {
		t.Errorf("entry %+v", e)
	}
	for i, e := range l.Entries {
		got, err := f.Load(e)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(run(i+1), got); diff != "" {
			t.Errorf("run %d (-kept +loaded):\n%s", i+1, diff)
		}
	}

	// Every line is a run for whoever reads runs.
	runs, err := format.ReadJSONL(bytes.NewReader(raw(t, f)))
	if diff := cmp.Diff([]results.Run{run(1), run(2), run(3)}, runs); err != nil || diff != "" {
		t.Errorf("as JSON lines: error %v (-kept +read):\n%s", err, diff)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]fs.FileMode{f.Path(): 0o600, filepath.Dir(f.Path()): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 || info.Mode().Perm() != want {
				t.Errorf("%s: %v, error %v", path, info.Mode(), err)
			}
		}
	}
}

func TestFind(t *testing.T) {
	f := tempHistory(t)
	ids := appendRuns(t, f, 1, 4)
	if _, err := f.Tag("baseline", "last~2"); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]int{"last": 4, "last~0": 4, "last~3": 1, "baseline": 2, ids[2]: 3, ids[2][:7]: 3} {
		got, e, err := f.find(ref)
		if err != nil || e.ID != ids[want-1] {
			t.Errorf("%s: run %s, error %v", ref, e.ID, err)
			continue
		}
		if diff := cmp.Diff(run(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ref, diff)
		}
	}
	for ref, want := range map[string]error{
		"last~4": fs.ErrNotExist, "last~": fs.ErrInvalid, "last~-1": fs.ErrInvalid, "last~x": fs.ErrInvalid, "lastly": fs.ErrNotExist,
		"": fs.ErrNotExist, "nosuch": fs.ErrNotExist, ids[0][:3]: fs.ErrNotExist, "000000000000": fs.ErrNotExist, ids[0] + "0": fs.ErrNotExist,
	} {
		if _, e, err := f.find(ref); !errors.Is(err, want) {
			t.Errorf("%q: run %s, error %v", ref, e.ID, err)
		}
	}

	// Two runs of the same beginning.
	l := Listing{Entries: []Entry{{ID: "abcd00000001"}, {ID: "abcd00000002"}}}
	if _, err := l.Find("abcd"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("two runs: error %v", err)
	}
	if e, err := l.Find("abcd00000002"); err != nil || e.ID != "abcd00000002" {
		t.Errorf("the whole name: %+v, error %v", e, err)
	}
}

func TestTags(t *testing.T) {
	f := tempHistory(t)
	ids := appendRuns(t, f, 1, 2)
	for _, tag := range []string{"baseline", "v1.2-rc_3"} {
		if _, err := f.Tag(tag, ids[0]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"baseline", "v1.2-rc_3"}, mustList(t, f).Entries[0].Tags); diff != "" {
		t.Error(diff)
	}
	if _, err := f.Tag("baseline", "last"); err != nil {
		t.Fatal(err)
	}
	if l := mustList(t, f); len(l.Entries[0].Tags) != 1 || len(l.Entries[1].Tags) != 1 || len(l.Damaged) != 0 {
		t.Errorf("a tag that moved: %+v", l)
	}
	if err := f.Untag("baseline"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.find("baseline"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a tag that was taken away: error %v", err)
	}
	if err := f.Untag("baseline"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("taken away twice: error %v", err)
	}
	if _, err := f.Tag("x", "nosuch"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a tag on nothing: error %v", err)
	}
	for _, bad := range []string{"", "last", "last~1", "beef", "0123", ids[0], "a b", "a/b", ".a", "-a", "ä", strings.Repeat("x", 65)} {
		if err := CheckTag(bad); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("tag %q: error %v", bad, err)
		}
	}
}

// Files are merged by concatenation, with and without an end of the last line,
// and with the ends of lines that Windows has.
func TestMerge(t *testing.T) {
	one, two, all := tempHistory(t), tempHistory(t), tempHistory(t)
	ids := append(appendRuns(t, one, 1, 2), appendRuns(t, two, 3, 4)...)
	if _, err := two.Tag("baseline", "last"); err != nil {
		t.Fatal(err)
	}
	a, b := raw(t, one), raw(t, two)
	for name, data := range map[string][]byte{
		"plain":          append(bytes.Clone(a), b...),
		"twice":          append(append(bytes.Clone(a), b...), a...),
		"no end between": append(bytes.TrimSuffix(bytes.Clone(a), []byte("\n")), b...),
		"no end":         bytes.TrimSuffix(append(bytes.Clone(a), b...), []byte("\n")),
		"windows":        bytes.ReplaceAll(append(bytes.Clone(a), b...), []byte("\n"), []byte("\r\n")),
		"empty lines":    bytes.ReplaceAll(append(bytes.Clone(a), b...), []byte("\n"), []byte("\n\n")),
	} {
		write(t, all, data)
		l := mustList(t, all)
		if diff := cmp.Diff(ids, names(l.Entries)); diff != "" || len(l.Damaged) > 0 {
			t.Errorf("%s: damaged %v (-want +got):\n%s", name, l.Damaged, diff)
			continue
		}
		for i, e := range l.Entries {
			if got, err := all.Load(e); err != nil || cmp.Diff(run(i+1), got) != "" {
				t.Errorf("%s, run %d: error %v", name, i+1, err)
			}
		}
		if e, err := l.Find("baseline"); err != nil || e.ID != ids[3] {
			t.Errorf("%s: baseline is %s, error %v", name, e.ID, err)
		}
	}

	// Runs that were never in a history.
	var plain bytes.Buffer
	if err := format.JSONL(&plain, []results.Run{run(1), run(2), run(3), run(4)}); err != nil {
		t.Fatal(err)
	}
	write(t, all, plain.Bytes())
	if diff := cmp.Diff(ids, names(mustList(t, all).Entries)); diff != "" {
		t.Errorf("JSON lines (-want +got):\n%s", diff)
	}
	if got, e, err := all.find(ids[1]); err != nil || e.ID != ids[1] || cmp.Diff(run(2), got) != "" {
		t.Errorf("JSON lines: %+v, error %v", e, err)
	}
}

// Whatever the place where a line is torn: the runs before it and behind it are
// there, the torn one is reported, and nothing else is.
func TestTorn(t *testing.T) {
	f := tempHistory(t)
	ids := appendRuns(t, f, 1, 3)
	data := raw(t, f)
	lines := bytes.SplitAfter(data, []byte("\n"))
	for cut := 1; cut < len(lines[1])-1; cut++ {
		torn := lines[1][:cut]
		for name, text := range map[string][]byte{
			"at the end":    bytes.Join([][]byte{lines[0], lines[2], torn}, nil),
			"in the middle": bytes.Join([][]byte{lines[0], torn, []byte("\n"), lines[2]}, nil),
			"glued":         bytes.Join([][]byte{lines[0], torn, lines[2]}, nil),
			"zeros":         bytes.Join([][]byte{lines[0], torn, make([]byte, 4096), lines[2]}, nil),
		} {
			write(t, f, text)
			l := mustList(t, f)
			if diff := cmp.Diff([]string{ids[0], ids[2]}, names(l.Entries)); diff != "" || len(l.Damaged) != 1 {
				t.Fatalf("cut at %d, %s: damaged %v (-want +got):\n%s", cut, name, l.Damaged, diff)
			}
			if got := text[l.Damaged[0].Offset:][:l.Damaged[0].Bytes]; !bytes.HasPrefix(got, torn) {
				t.Fatalf("cut at %d, %s: %v is %q", cut, name, l.Damaged, got)
			}
			if name != "at the end" || cut%50 != 1 {
				continue
			}
			if _, err := f.Append(run(4)); err != nil {
				t.Fatal(err)
			}
			l = mustList(t, f)
			if len(l.Entries) != 3 || len(l.Damaged) != 1 {
				t.Fatalf("cut at %d, after an append: %+v", cut, l)
			}
			if err := f.Rewrite(func(Listing) ([]Entry, bool, error) { return nil, true, nil }); err != nil {
				t.Fatal(err)
			}
			if l := mustList(t, f); len(l.Entries) != 3 || len(l.Damaged) != 0 {
				t.Fatalf("cut at %d, after the repair: %+v", cut, l)
			}
		}
	}
}

// A line whose length is right and whose bytes are not is found when it is
// loaded.
func TestGarbled(t *testing.T) {
	f := tempHistory(t)
	appendRuns(t, f, 1, 1)
	data := raw(t, f)
	at := bytes.LastIndex(data, []byte("3000"))
	data[at] = '7'
	write(t, f, data)
	if got, _, err := f.find("last"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("loaded as %+v, error %v", got, err)
	}
}

func TestRewrite(t *testing.T) {
	f := tempHistory(t)
	ids := appendRuns(t, f, 1, 5)
	if _, err := f.Tag("baseline", ids[1]); err != nil {
		t.Fatal(err)
	}
	before := raw(t, f)
	write(t, f, append(before, `{"schema":1,"entry":{"torn`...))
	mode := fs.FileMode(0o600)
	if runtime.GOOS != "windows" {
		mode = 0o640
		if err := os.Chmod(f.Path(), mode); err != nil {
			t.Fatal(err)
		}
	}

	// An error changes nothing.
	if err := f.Rewrite(func(l Listing) ([]Entry, bool, error) { return l.Entries, true, fs.ErrClosed }); err != fs.ErrClosed {
		t.Errorf("error %v", err)
	}
	if err := f.Rewrite(Keep(2)); err != nil {
		t.Fatal(err)
	}
	l := mustList(t, f)
	if diff := cmp.Diff([]string{ids[1], ids[3], ids[4]}, names(l.Entries)); diff != "" || len(l.Damaged) != 1 {
		t.Errorf("damaged %v (-want +got):\n%s", l.Damaged, diff)
	}
	if diff := cmp.Diff([]string{"baseline"}, l.Entries[0].Tags); diff != "" {
		t.Errorf("tags: %s", diff)
	}
	if info, err := os.Stat(f.Path()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if got, _, err := f.find("baseline"); err != nil || cmp.Diff(run(2), got) != "" {
		t.Errorf("a run that stayed: error %v", err)
	}
	// An entry of a listing from before is found again.
	if got, err := f.Load(Entry{ID: ids[4], offset: 7, length: 9}); err != nil || cmp.Diff(run(5), got) != "" {
		t.Errorf("an entry from before: error %v", err)
	}
	if _, err := os.Stat(f.Path() + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new file is left: %v", err)
	}
	if err := f.Rewrite(Keep(0)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{ids[1]}, names(mustList(t, f).Entries)); diff != "" {
		t.Errorf("what has a tag stays (-want +got):\n%s", diff)
	}
}

// A link to the history stays one.
func TestRewriteThroughLink(t *testing.T) {
	f := tempHistory(t)
	appendRuns(t, f, 1, 3)
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(f.Path(), link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := Open(link).Rewrite(Keep(1)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v, error %v", info, err)
	}
	if n := len(mustList(t, f).Entries); n != 1 {
		t.Errorf("%d runs", n)
	}
}

func TestNoPlace(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir).Append(run(1)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a folder as history: error %v", err)
	}
	if _, err := Open(dir).List(); !errors.Is(err, ErrNotFile) {
		t.Errorf("a folder as history, listed: error %v", err)
	}
	if _, err := Open(os.DevNull).Append(run(1)); !errors.Is(err, ErrNotFile) {
		t.Errorf("a device as history: error %v", err)
	}
	if _, err := os.Stat(dir + ".lock"); err == nil {
		t.Error("a lock was made beside what is no file")
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "history.jsonl")).Append(run(1)); err == nil {
		t.Error("a file as folder: no error")
	}
}

// Someone who stops with the lock in hand is waited for, and not for ever.
func TestBusy(t *testing.T) {
	defer func(s, p time.Duration) { lockSilence, lockPatience = s, p }(lockSilence, lockPatience)
	lockSilence, lockPatience = 20*time.Millisecond, 50*time.Millisecond
	f := tempHistory(t)
	waits := 0
	f.Waiting = func() { waits++ }
	appendRuns(t, f, 1, 1)
	unlock, err := f.lock(exclusive)
	if err != nil {
		t.Fatal(err)
	}
	if held, err := func() (bool, error) {
		file, err := os.Open(f.Path() + ".lock")
		if err != nil {
			return false, err
		}
		defer file.Close()
		return tryLock(file, shared)
	}(); held || err != nil {
		t.Skipf("no locks here (error %v)", err)
	}
	if _, err := f.Append(run(2)); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
	if waits != 1 {
		t.Errorf("%d words of waiting, want 1", waits)
	}
	unlock()
	appendRuns(t, f, 2, 2)
}

func FuzzScan(f *testing.F) {
	h := tempHistory(f)
	appendRuns(f, h, 1, 2)
	if _, err := h.Tag("baseline", "last"); err != nil {
		f.Fatal(err)
	}
	f.Add(raw(f, h))
	f.Add([]byte(`{"schema":1,"entry":{"id":"000000000000","run_bytes":99},"x":1}`))
	path := filepath.Join(f.TempDir(), "fuzz.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		h := Open(path)
		l, err := h.scan()
		if err != nil {
			t.Fatal(err)
		}
		var covered int64
		for _, e := range l.Entries {
			h.load(e)
			covered += e.length
		}
		for _, d := range l.Damaged {
			covered += d.Bytes
		}
		if covered > int64(len(data)) {
			t.Errorf("%d bytes are taken for %d", len(data), covered)
		}
	})
}

// find loads the run that ref refers to.
func (f *File) find(ref string) (results.Run, Entry, error) {
	l, err := f.List()
	if err != nil {
		return results.Run{}, Entry{}, err
	}
	e, err := l.Find(ref)
	if err != nil {
		return results.Run{}, Entry{}, err
	}
	run, err := f.Load(e)
	return run, e, err
}

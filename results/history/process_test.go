package history

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gelibench/results"

	"github.com/google/go-cmp/cmp"
)

// The test program is its own second process: with this variable set to
// FILE|FIRST|LAST it appends runs and prints a line for each that is in.
const appenderVariable = "GELIBENCH_TEST_APPEND"

func TestMain(m *testing.M) {
	if job := os.Getenv(appenderVariable); job != "" {
		if err := appendAll(strings.Split(job, "|")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func appendAll(job []string) error {
	first, err := strconv.Atoi(job[1])
	if err != nil {
		return err
	}
	last, err := strconv.Atoi(job[2])
	if err != nil {
		return err
	}
	f := Open(job[0])
	for n := first; n <= last; n++ {
		if _, err := f.Append(bigRun(n)); err != nil {
			return err
		}
		fmt.Println(n)
	}
	return nil
}

// bigRun is a run whose line is some 100 kB long, so that it takes a while to
// write.
func bigRun(n int) results.Run {
	r := run(n)
	for range 1000 {
		r.Series[0].Samples = append(r.Series[0].Samples, results.Sample{Bytes: 1 << 30, Requests: 1 << 10, ElapsedNS: 1_000_000_007})
	}
	return r
}

// appender is a process that appends.
func appender(t *testing.T, f *File, first, last int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%d", appenderVariable, f.Path(), first, last))
	cmd.Stderr = os.Stderr
	return cmd
}

// number is the N that run(N) was made of.
func number(t *testing.T, e Entry) int {
	t.Helper()
	if len(e.Command) < 4 {
		t.Fatalf("entry %+v", e)
	}
	n, err := strconv.Atoi(e.Command[3])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Three processes append at once: every run is there, whole, once, and those
// of each process are in their order.
func TestProcessesAtOnce(t *testing.T) {
	f := tempHistory(t)
	const each = 15
	var cmds []*exec.Cmd
	for p := range 3 {
		cmd := appender(t, f, p*1000+1, p*1000+each)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	// Meanwhile whoever reads sees whole lines, and whoever removes loses none.
	for range 5 {
		if l := mustList(t, f); len(l.Damaged) > 0 {
			t.Errorf("damaged while others write: %v", l.Damaged)
		}
		if err := f.Rewrite(Keep(1000)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	gone := mustList(t, f).Entries
	if len(gone) > 1 {
		gone = gone[:1]
	}
	if len(gone) > 0 {
		if err := f.Rewrite(func(Listing) ([]Entry, bool, error) { return gone, false, nil }); err != nil {
			t.Error(err)
		}
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	l := mustList(t, f)
	if len(l.Entries) != 3*each-len(gone) || len(l.Damaged) > 0 {
		t.Errorf("%d runs of %d, %d removed, damaged %v", len(l.Entries), 3*each, len(gone), l.Damaged)
	}
	last := map[int]int{}
	for _, e := range l.Entries {
		n := number(t, e)
		if n <= last[n/1000] {
			t.Errorf("run %d comes behind run %d", n, last[n/1000])
		}
		last[n/1000] = n
		if got, err := f.Load(e); err != nil || cmp.Diff(bigRun(n), got) != "" {
			t.Errorf("run %d: error %v", n, err)
		}
	}
}

// A process is killed while it appends, again and again: every run that it said
// was in is there, and the next append works.
func TestKilledWhileAppending(t *testing.T) {
	f := tempHistory(t)
	next := 1
	said := map[int]bool{}
	for round := range 12 {
		cmd := appender(t, f, next, next+100000)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatal("nothing was appended")
		}
		// Somewhere within the lines that follow.
		time.AfterFunc(time.Duration(round)*1700*time.Microsecond, func() { cmd.Process.Kill() })
		for ok := true; ok; ok = lines.Scan() {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Fatal(err)
			}
			said[n] = true
			next = n + 1
		}
		cmd.Wait()
		next++ // the run that was under way may be in
	}
	appendRuns(t, f, next+1, next+1)
	l := mustList(t, f)
	there := map[int]bool{}
	for _, e := range l.Entries {
		there[number(t, e)] = true
	}
	for n := range said {
		if !there[n] {
			t.Errorf("run %d is lost", n)
		}
	}
	if !there[next+1] {
		t.Error("the append after the last kill is lost")
	}
	if len(l.Damaged) > 12 {
		t.Errorf("more damage than kills: %v", l.Damaged)
	}
	t.Logf("%d runs, %d torn lines", len(l.Entries), len(l.Damaged))
}

// On a full disk an append is an error, and the history is as it was.
func TestFullDisk(t *testing.T) {
	folder := smallDisk(t)
	f := Open(filepath.Join(folder, "history.jsonl"))
	ids := appendRuns(t, f, 1, 2)
	var err error
	for n := 3; n < 100 && err == nil; n++ {
		var e Entry
		if e, err = f.Append(bigRun(n)); err == nil {
			ids = append(ids, e.ID)
		}
	}
	if !isFull(err) {
		t.Fatalf("the disk did not fill up: error %v", err)
	}
	check := func(when string) {
		l := mustList(t, f)
		if diff := cmp.Diff(ids, names(l.Entries)); diff != "" || len(l.Damaged) > 0 {
			t.Errorf("%s: damaged %v (-want +got):\n%s", when, l.Damaged, diff)
		}
	}
	check("after the failed append")
	// There is no room for a second file beside it either.
	if err := f.Rewrite(func(l Listing) ([]Entry, bool, error) { return l.Entries[:1], false, nil }); !isFull(err) {
		t.Errorf("rewrite: error %v", err)
	}
	check("after the failed rewrite")
	if _, err := os.Stat(f.Path() + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new file is left: %v", err)
	}
}

// In a folder that is read-only the history is read, and cannot be added to.
func TestReadOnlyFolder(t *testing.T) {
	f := tempHistory(t)
	ids := appendRuns(t, f, 1, 2)
	folder := filepath.Dir(f.Path())
	for _, lock := range []bool{true, false} {
		if !lock {
			if err := os.Remove(f.Path() + ".lock"); err != nil {
				t.Fatal(err)
			}
		}
		readOnly(t, folder, func() {
			if diff := cmp.Diff(ids, names(mustList(t, f).Entries)); diff != "" {
				t.Error(diff)
			}
			if _, _, err := f.find("last"); err != nil {
				t.Error(err)
			}
			if _, err := f.Append(run(3)); !noWrite(err) {
				t.Errorf("append: error %v", err)
			}
			if err := f.Rewrite(Keep(0)); !noWrite(err) {
				t.Errorf("rewrite: error %v", err)
			}
		})
	}
	if diff := cmp.Diff(ids, names(mustList(t, f).Entries)); diff != "" {
		t.Error(diff)
	}
}

// many is a history of n runs as long as those of a matrix.
func many(t testing.TB, n int) *File {
	f := tempHistory(t)
	if err := os.MkdirAll(filepath.Dir(f.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	r := run(0)
	for range 60 {
		r.Series[0].Samples = append(r.Series[0].Samples, results.Sample{Bytes: 1 << 30, Requests: 1 << 10, ElapsedNS: 1_000_000_007, Round: 7, StartNS: 1 << 40, LeadInNS: 10_000_000, LeadInBytes: 1 << 20})
	}
	for i := range n {
		r.Command[3] = strconv.Itoa(i)
		_, line, err := marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(line)
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTenThousandRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a file of 100 MB")
	}
	f := many(t, 10_000)
	l := mustList(t, f)
	if len(l.Entries) != 10_000 || len(l.Damaged) > 0 {
		t.Fatalf("%d runs, %d damaged", len(l.Entries), len(l.Damaged))
	}
	for _, at := range []int{0, 5000, 9999} {
		got, err := f.Load(l.Entries[at])
		if err != nil || got.Command[3] != strconv.Itoa(at) {
			t.Errorf("run %d: %v, error %v", at, got.Command, err)
		}
	}
}

func BenchmarkListTenThousandRuns(b *testing.B) {
	f := many(b, 10_000)
	info, err := os.Stat(f.Path())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		if l, err := f.List(); err != nil || len(l.Entries) != 10_000 {
			b.Fatalf("%d runs, error %v", len(l.Entries), err)
		}
	}
}

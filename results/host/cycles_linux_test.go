package host

import (
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The kernel's own task clock, which needs no counter in the processor, goes
// through the same calls as cycles do: it must see the work of threads that
// were there before, and of those that came later, ended or not.
func TestEveryThreadIsCounted(t *testing.T) {
	c, err := countEvents(unix.PERF_TYPE_SOFTWARE, []uint64{unix.PERF_COUNT_SW_TASK_CLOCK})
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skipf("perf_event_open: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	before, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	cpuBefore, _ := cpuTime()

	work := func() {
		for start := time.Now(); time.Since(start) < 20*time.Millisecond; {
			runChain(1 << 16)
		}
	}
	work()
	hold := make(chan struct{})
	var worked, gone sync.WaitGroup
	for i := range 4 {
		worked.Add(1)
		gone.Go(func() {
			runtime.LockOSThread() // a thread of its own, which ends with it
			work()
			worked.Done()
			if i%2 == 0 {
				<-hold
			}
		})
	}
	worked.Wait()
	cpuAfter, _ := cpuTime()
	after, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	close(hold)
	gone.Wait()

	counted, used := time.Duration(after-before), cpuAfter-cpuBefore
	if counted < used*8/10 || counted > used*12/10+time.Millisecond {
		t.Errorf("counted %v of %v", counted, used)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if n, err := c.Read(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closed, it gives %d, %v", n, err)
	}
}

func TestWhyCyclesAreNotCounted(t *testing.T) {
	for _, err := range []error{unix.EACCES, unix.ENOENT, unix.ENOSYS, unix.EINVAL} {
		if err := explain(err); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v does not wrap ErrUnsupported", err)
		}
	}
}

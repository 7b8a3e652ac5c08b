package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Cycles counts the core cycles that all threads of this process spend in user
// mode, from CountCycles on. One goroutine at a time may use it.
type Cycles struct {
	fds    []int
	hybrid bool // each event counts on one kind of core only
}

// CountCycles begins to count with perf_event_open(2). The error wraps
// errors.ErrUnsupported where the machine has no counter or does not let a
// program have it.
//
// Every thread that there is gets a counter that its offspring inherits, so
// that threads that come later are counted as well.
func CountCycles() (*Cycles, error) {
	pmus, err := cyclePMUs()
	if err != nil {
		return nil, err
	}
	return countEvents(unix.PERF_TYPE_HARDWARE, pmus)
}

// cyclePMUs gives the configurations that count cycles: one, or on Intel's
// hybrids one for each kind of core, whose PMU stands in the upper half.
func cyclePMUs() ([]uint64, error) {
	var configs []uint64
	for _, name := range []string{"cpu_core", "cpu_atom"} {
		b, err := os.ReadFile("/sys/devices/" + name + "/type")
		if err != nil {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 31)
		if err != nil {
			return nil, fmt.Errorf("PMU %s: %w", name, err)
		}
		configs = append(configs, n<<32|unix.PERF_COUNT_HW_CPU_CYCLES)
	}
	if len(configs) > 0 {
		return configs, nil
	}
	arm, err := os.ReadDir("/sys/bus/event_source/devices")
	clusters := 0
	for _, e := range arm {
		if strings.HasPrefix(e.Name(), "armv8_") {
			clusters++
		}
	}
	if err == nil && clusters > 1 {
		return nil, fmt.Errorf("each kind of core has a counter of its own here: %w", errors.ErrUnsupported)
	}
	return []uint64{unix.PERF_COUNT_HW_CPU_CYCLES}, nil
}

// countEvents opens each event on every thread.
func countEvents(kind uint32, configs []uint64) (*Cycles, error) {
	c := &Cycles{hybrid: len(configs) > 1}
	known := map[int]bool{}
	// A thread that was started by one that has no counter yet, while we were
	// at it, shows up in the next round.
	for {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("%v: %w", err, errors.ErrUnsupported)
		}
		more := false
		for _, t := range tasks {
			tid, err := strconv.Atoi(t.Name())
			if err != nil || known[tid] {
				continue
			}
			known[tid], more = true, true
			for _, config := range configs {
				fd, err := openEvent(kind, config, tid)
				if errors.Is(err, unix.ESRCH) {
					continue // gone already
				}
				if err != nil {
					c.Close()
					return nil, explain(err)
				}
				c.fds = append(c.fds, fd)
			}
		}
		if !more {
			return c, nil
		}
	}
}

func openEvent(kind uint32, config uint64, tid int) (int, error) {
	attr := unix.PerfEventAttr{
		Type: kind, Config: config,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits:        unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv | unix.PerfBitInherit,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	return unix.PerfEventOpen(&attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
}

func explain(err error) error {
	switch {
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return fmt.Errorf("counting is not allowed here: %w", errors.ErrUnsupported)
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
		return fmt.Errorf("no cycle counter here: %w", errors.ErrUnsupported)
	}
	return fmt.Errorf("perf_event_open: %v: %w", err, errors.ErrUnsupported)
}

// errShared is the answer of a counter that had to take turns with others.
var errShared = errors.New("the cycle counter was shared with somebody else: its count is not whole")

// Read gives the cycles so far.
func (c *Cycles) Read() (uint64, error) {
	if c.fds == nil {
		return 0, fmt.Errorf("cycle counter: %w", fs.ErrClosed)
	}
	var sum uint64
	for _, fd := range c.fds {
		var b [24]byte
		n, err := unix.Read(fd, b[:])
		if err != nil || n != len(b) {
			return 0, fmt.Errorf("reading the cycle counter: %d bytes, %v", n, err)
		}
		enabled, running := binary.NativeEndian.Uint64(b[8:]), binary.NativeEndian.Uint64(b[16:])
		if !c.hybrid && running < enabled-enabled/1000 {
			return 0, errShared
		}
		sum += binary.NativeEndian.Uint64(b[:])
	}
	return sum, nil
}

// Close ends the counting.
func (c *Cycles) Close() error {
	var errs []error
	for _, fd := range c.fds {
		errs = append(errs, unix.Close(fd))
	}
	c.fds = nil
	return errors.Join(errs...)
}

package measure

import (
	"math/bits"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func cpuTime() (user, system time.Duration, ok bool) {
	var created, exited, k, u windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &k, &u); err != nil {
		return 0, 0, false
	}
	return span(u), span(k), true
}

// span reads a length of time. Filetime.Nanoseconds would take it for a date.
func span(f windows.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100 // units of 100 ns
}

// Go's own clock moves in steps of the timer interrupt on Windows, of 0.5 to
// 15.6 ms; the performance counter has 100 ns or better.
var (
	kernel32       = windows.NewLazySystemDLL("kernel32.dll")
	queryCounter   = kernel32.NewProc("QueryPerformanceCounter")
	queryFrequency = kernel32.NewProc("QueryPerformanceFrequency")
)

// monotonic cannot fail since Windows XP, says the counter's documentation.
func monotonic() time.Duration {
	var count, perSecond int64
	queryCounter.Call(uintptr(unsafe.Pointer(&count)))
	queryFrequency.Call(uintptr(unsafe.Pointer(&perSecond)))
	hi, lo := bits.Mul64(uint64(count), uint64(time.Second))
	ns, _ := bits.Div64(hi, lo, uint64(perSecond))
	return time.Duration(ns)
}

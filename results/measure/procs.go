package measure

import "runtime"

// FixProcs sets GOMAXPROCS to one more than there are workers, or leaves it if
// it is higher: the timer that ends a sample must not wait for a worker. It
// stays fixed from then on, where Go would follow the quota of the cgroup.
// restore sets it back.
func FixProcs(workers int) (procs int, restore func()) {
	before := runtime.GOMAXPROCS(0)
	procs = max(before, workers+1)
	runtime.GOMAXPROCS(procs)
	return procs, func() { runtime.GOMAXPROCS(before) }
}

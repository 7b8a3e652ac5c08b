//go:build !unix

package host

import "time"

func involuntarySwitches() (int64, bool) { return 0, false }

func cpuTime() (time.Duration, bool) { return 0, false }

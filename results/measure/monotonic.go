//go:build !windows

package measure

import "time"

var processStart = time.Now()

func monotonic() time.Duration { return time.Since(processStart) }

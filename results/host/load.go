package host

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gelibench/results"
	"gelibench/results/units"
)

// load reads the load average of the last minute.
func (h *Host) load() results.Finding {
	cpus := len(h.online())
	text, _, _ := strings.Cut(first(h.files.text("proc/loadavg")), " ")
	load, err := strconv.ParseFloat(text, 64)
	if err != nil {
		n, ok1 := h.sysctlNumber("hw.ncpu")
		l, ok2 := h.sysctlLoad()
		if !ok1 || !ok2 {
			return notKnown("load")
		}
		load, cpus = l, int(n)
	}
	cpus = max(cpus, 1)
	f := good("load", fmt.Sprintf("%.2f in the last minute, on %s", load, units.Count(cpus, "CPU")))
	switch perCPU := load / float64(cpus); {
	case load < LoadFloor || perCPU < LoadFair:
	case perCPU < LoadUnreliable:
		f.Grade = results.Fair
	default:
		f.Grade = results.Unreliable
	}
	if f.Grade != results.Good {
		f.Advice = "end what else runs (top shows it), and wait a minute"
	}
	return f
}

// sysctlLoad reads vm.loadavg: three fixed-point numbers of 32 bits and, as a
// long, the value of 1.
func (h *Host) sysctlLoad() (float64, bool) {
	b := h.self.sysctl("vm.loadavg")
	if len(b) < 16 {
		return 0, false
	}
	load := binary.NativeEndian.Uint32(b)
	var one uint64
	if len(b) >= 24 {
		one = binary.NativeEndian.Uint64(b[16:])
	} else {
		one = uint64(binary.NativeEndian.Uint32(b[12:]))
	}
	if one == 0 {
		return 0, false
	}
	return float64(load) / float64(one), true
}

// pressure reads how much of the last ten seconds some task waited for a CPU.
func (h *Host) pressure() results.Finding {
	// "some avg10=0.00 avg60=0.00 avg300=0.00 total=0"
	text, ok := h.files.text("proc/pressure/cpu")
	_, after, found := strings.Cut(text, "some avg10=")
	number, _, _ := strings.Cut(after, " ")
	percent, err := strconv.ParseFloat(number, 64)
	if !ok || !found || err != nil {
		return notKnown("pressure")
	}
	f := good("pressure", fmt.Sprintf("some task waited for a CPU in %.1f %% of 10 s", percent))
	switch {
	case percent >= 100*PressureUnreliable:
		f.Grade = results.Unreliable
	case percent >= 100*PressureFair:
		f.Grade = results.Fair
	}
	if f.Grade != results.Good {
		f.Advice = "end what else runs (top shows it)"
	}
	return f
}

// cpuTicks is /proc/stat over the CPUs that the program may use.
type cpuTicks struct {
	busy  time.Duration // by anybody, without stolen time
	steal time.Duration
	ok    bool
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every port of Go.
const tick = 10 * time.Millisecond

func (h *Host) ticks(allowed []int) cpuTicks {
	text, ok := h.files.text("proc/stat")
	if !ok {
		return cpuTicks{}
	}
	var t cpuTicks
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || !strings.HasPrefix(f[0], "cpu") {
			break // they come first
		}
		id, err := strconv.Atoi(f[0][len("cpu"):])
		if err != nil || len(f) < 9 || len(allowed) > 0 && !slices.Contains(allowed, id) {
			continue
		}
		// user nice system idle iowait irq softirq steal; guests' time is
		// contained in user and nice.
		var n [9]int64
		for i := range n[1:] {
			n[i+1], _ = strconv.ParseInt(f[i+1], 10, 64)
		}
		t.busy += time.Duration(n[1]+n[2]+n[3]+n[6]+n[7]) * tick
		t.steal += time.Duration(n[8]) * tick
		t.ok = true
	}
	return t
}

// steal is what other guests have taken since the machine started.
func (h *Host) steal() results.Finding {
	t := h.ticks(h.allowed())
	if !t.ok {
		return notKnown("steal")
	}
	f := stealFinding(t.steal, t.busy, "since boot")
	if f.Grade == results.Unreliable {
		f.Grade = results.Fair // it may be over
	}
	return f
}

func stealFinding(steal, busy time.Duration, when string) results.Finding {
	share := 0.0
	if steal > 0 {
		share = float64(steal) / float64(steal+busy)
	}
	f := good("steal", fmt.Sprintf("%.1f %% of the time %s", 100*share, when))
	switch {
	case steal == 0:
		f.Text = "none " + when
	case share >= StealUnreliable:
		f.Grade = results.Unreliable
	case share >= StealFair:
		f.Grade = results.Fair
	}
	if f.Grade != results.Good {
		f.Advice = "use a machine of one's own, or guests with CPUs of their own"
	}
	return f
}

// throttles adds up how often cores were slowed because of heat or power.
// ok is false where the processor does not count it.
func (h *Host) throttles(allowed []int) (times int64, ok bool) {
	for _, id := range allowed {
		n, counts := h.files.number(cpuFile(id, "thermal_throttle/core_throttle_count"))
		times += n
		ok = ok || counts
	}
	// A package is counted by each of its CPUs; one of them is enough.
	if len(allowed) > 0 {
		n, _ := h.files.number(cpuFile(allowed[0], "thermal_throttle/package_throttle_count"))
		times += n
	}
	return times, ok
}

// throttling is what happened since the machine started, which need not be
// over; only the watch can tell.
func (h *Host) throttling() results.Finding {
	times, ok := h.throttles(h.allowed())
	switch {
	case !ok:
		return notKnown("throttling")
	case times == 0:
		return good("throttling", "none since boot")
	}
	return results.Finding{
		Name: "throttling", Grade: results.Fair,
		Text:   fmt.Sprintf("heat slowed the cores %s since boot", units.Count(int(times), "time")),
		Advice: "see to the cooling; runs show whether it happens again",
	}
}

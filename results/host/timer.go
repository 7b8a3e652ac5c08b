package host

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gelibench/results"
)

const clockDir = "sys/devices/system/clocksource/clocksource0/"

// timer says what tells the time, and in which steps.
func (h *Host) timer() results.Finding {
	step := h.timerStep()
	f := good("timer", fmt.Sprintf("steps of %v", step))
	switch {
	case step > TimerUnreliable:
		f.Grade = results.Unreliable
	case step > TimerFair:
		f.Grade = results.Fair
	}
	source, ok := h.files.text(clockDir + "current_clocksource")
	others, _ := h.files.text(clockDir + "available_clocksource")
	use := func(name string) string {
		return fmt.Sprintf("echo %s > current_clocksource, in /%s", name, clockDir)
	}
	if !ok {
		source = h.sysctlText("kern.timecounter.hardware")
		others = h.sysctlText("kern.timecounter.choice")
		use = func(name string) string { return "sysctl kern.timecounter.hardware=" + name }
	}
	if f.Grade != results.Good {
		f.Advice = "take longer samples, of more than 1000 steps"
	}
	if source == "" {
		return f
	}
	f.Text = source + ", " + f.Text
	// These are read over a bus, which takes a microsecond and stops the CPU;
	// ticks are milliseconds apart.
	name := strings.ToLower(source)
	switch {
	case name == "jiffies" || name == "refined-jiffies" || name == "dummy":
		f.Grade = results.Unreliable
	case name == "hpet" || strings.HasPrefix(name, "acpi") || name == "i8254":
		f.Grade = results.Worst(f.Grade, results.Fair)
		f.Text += ", slow to read"
	}
	if f.Grade != results.Good {
		f.Advice = "have the system use a better clock, if it trusts one"
		if i := strings.Index(strings.ToLower(others), "tsc"); i >= 0 && name != "tsc" {
			better := strings.FieldsFunc(others[i:], func(r rune) bool { return r == ' ' || r == '(' })[0]
			f.Advice = use(better)
		}
	}
	return f
}

// timerStep is the smallest step that the clock was seen to make, which is its
// resolution or the time that it takes to be read, whichever is longer.
func (h *Host) timerStep() time.Duration {
	if step := h.step.Load(); step > 0 {
		return time.Duration(step)
	}
	step := h.findStep()
	h.step.Store(int64(step))
	return step
}

func (h *Host) findStep() time.Duration {
	var steps []time.Duration
	for range 32 {
		if len(steps) > 0 && steps[0] > time.Millisecond {
			break // one look at such a clock is enough
		}
		from := h.Now()
		for range 1 << 20 { // a clock that stands still is none
			if step := h.Now() - from; step > 0 {
				steps = append(steps, step)
				break
			}
		}
	}
	if len(steps) == 0 {
		return time.Hour
	}
	return slices.Min(steps)
}

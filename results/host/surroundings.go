package host

import (
	"errors"
	"fmt"
	"strings"

	"gelibench/results"
)

// power says whether a battery feeds the machine.
func (h *Host) power() results.Finding {
	const dir = "sys/class/power_supply"
	onBattery := results.Finding{
		Name: "power", Text: "on battery: the clock is lowered to spare it",
		Advice: "plug the machine in", Grade: results.Fair,
	}
	if line, ok := h.sysctlNumber("hw.acpi.acline"); ok {
		if line == 0 {
			return onBattery
		}
		return good("power", "on AC")
	}
	if !h.files.has(dir) {
		return notKnown("power")
	}
	mains, plugged, discharging := 0, 0, false
	for _, name := range h.files.names(dir) {
		at := dir + "/" + name + "/"
		if scope, _ := h.files.text(at + "scope"); scope == "Device" {
			continue // the battery of a mouse
		}
		switch kind, _ := h.files.text(at + "type"); kind {
		case "Mains", "USB":
			online, _ := h.files.number(at + "online")
			mains++
			if online > 0 {
				plugged++
			}
		case "Battery":
			status, _ := h.files.text(at + "status")
			discharging = discharging || status == "Discharging"
		}
	}
	switch {
	case plugged > 0 && !discharging:
		return good("power", "on AC")
	case discharging:
		return onBattery
	}
	// Boards without a battery list their unplugged USB ports.
	return good("power", "no battery in use")
}

// hugepages says whether large buffers can lie in large pages. It makes no
// figure less reliable.
func (h *Host) hugepages() results.Finding {
	text, ok := h.files.text("sys/kernel/mm/transparent_hugepage/enabled")
	if !ok {
		return notKnown("hugepages")
	}
	_, chosen, _ := strings.Cut(text, "[")
	chosen, _, ok = strings.Cut(chosen, "]")
	if !ok {
		return notKnown("hugepages")
	}
	f := good("hugepages", "transparent: "+chosen)
	if n, _ := h.files.number("proc/sys/vm/nr_hugepages"); n > 0 {
		f.Text += fmt.Sprintf("; %d reserved", n)
	}
	return f
}

// perf says where cycles per byte will come from.
func (h *Host) perf() results.Finding {
	const estimated = "cycles are estimated"
	paranoid, ok := h.files.number("proc/sys/kernel/perf_event_paranoid")
	if !ok {
		if h.self.goos == "linux" && h.files.has("proc/sys/kernel") {
			return good("perf", "the kernel has no perf_event; "+estimated)
		}
		return notKnown("perf")
	}
	// 2 allows counting in user mode; Debian and Android have a 3 and Ubuntu
	// a 4 that allow nothing.
	c, err := h.self.cycles()
	if err == nil {
		err = c.Close()
	}
	switch {
	case err == nil:
		return good("perf", "core cycles are counted")
	case paranoid > 2:
		f := good("perf", fmt.Sprintf("not allowed (perf_event_paranoid is %d); %s", paranoid, estimated))
		f.Advice = "sysctl kernel.perf_event_paranoid=2"
		return f
	}
	why := strings.TrimSuffix(err.Error(), ": "+errors.ErrUnsupported.Error())
	return good("perf", why+"; "+estimated)
}

package host

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/pin"
	"gelibench/results/units"
)

const cpuDir = "sys/devices/system/cpu/"

func cpuFile(id int, name string) string { return cpuDir + "cpu" + strconv.Itoa(id) + "/" + name }

// Topology lists the CPUs that the program may use, by ID. It is nil where the
// system does not tell.
func (h *Host) Topology() []pin.CPU {
	ids := h.allowed()
	var cpus []pin.CPU
	speeds := h.speeds(ids)
	kinds := kindsOf(speeds)
	for i, id := range ids {
		c := pin.CPU{ID: id, Core: id, Kind: kinds[i]}
		if text, ok := h.files.text(cpuFile(id, "topology/thread_siblings_list")); ok {
			if siblings, err := pin.Parse(text); err == nil && len(siblings) > 0 {
				c.Core = siblings[0]
			}
		}
		cpus = append(cpus, c)
	}
	return cpus
}

// online lists the CPUs that are switched on.
func (h *Host) online() []int {
	text, ok := h.files.text(cpuDir + "online")
	if !ok {
		return nil
	}
	ids, _ := pin.Parse(text)
	return ids
}

// allowed lists the CPUs of the affinity mask that are switched on.
func (h *Host) allowed() []int {
	online := h.online()
	mask, err := pin.Parse(h.files.fields("proc/self/status")["Cpus_allowed_list"])
	if err != nil || len(mask) == 0 {
		return online
	}
	if len(online) == 0 {
		return mask
	}
	return slices.DeleteFunc(mask, func(id int) bool { return !slices.Contains(online, id) })
}

// speeds gives a number for each CPU that grows with its speed, or nil. The
// names of Intel's kinds come first, then the scheduler's own capacity, then
// the highest clock.
func (h *Host) speeds(ids []int) []int64 {
	if text, ok := h.files.text("sys/devices/cpu_atom/cpus"); ok {
		if atoms, err := pin.Parse(text); err == nil && h.files.has("sys/devices/cpu_core/cpus") {
			speeds := make([]int64, len(ids))
			for i, id := range ids {
				if !slices.Contains(atoms, id) {
					speeds[i] = 1
				}
			}
			return speeds
		}
	}
	for _, name := range []string{"cpu_capacity", "cpufreq/cpuinfo_max_freq"} {
		var speeds []int64
		for _, id := range ids {
			if n, ok := h.files.number(cpuFile(id, name)); ok {
				speeds = append(speeds, n)
			}
		}
		if len(speeds) == len(ids) && len(ids) > 0 && slices.Min(speeds) < slices.Max(speeds) {
			return speeds
		}
	}
	return make([]int64, len(ids))
}

// kindsOf sorts speeds into kinds, the fastest of which is 0. Cores of one
// kind may differ a little: makers let their best ones clock higher.
func kindsOf(speeds []int64) []int {
	order := make([]int, len(speeds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(speeds[b], speeds[a]) })
	kinds := make([]int, len(speeds))
	kind := 0
	for n, i := range order {
		if n > 0 && float64(speeds[i]) < float64(speeds[order[n-1]])*(1-SameKindSpeed) {
			kind++
		}
		kinds[i] = kind
	}
	return kinds
}

// cpu names the processor.
func (h *Host) cpu() results.Finding {
	model := h.model()
	if model == "" {
		return notKnown("cpu")
	}
	return good("cpu", model)
}

// model is the processor's name, from whoever knows it.
func (h *Host) model() string {
	if h.CPUModel != "" {
		return h.CPUModel
	}
	info := h.files.fields("proc/cpuinfo")
	// x86; some ARM and MIPS; PowerPC.
	for _, key := range []string{"model name", "Model", "cpu model", "cpu"} {
		if info[key] != "" {
			return info[key]
		}
	}
	if part := info["CPU part"]; part != "" {
		return fmt.Sprintf("ARM implementer %s, part %s", info["CPU implementer"], part)
	}
	for _, name := range []string{"machdep.cpu.brand_string", "hw.model"} {
		if text := h.sysctlText(name); text != "" {
			return text
		}
	}
	return ""
}

// cores counts physical cores, their threads and their kinds.
func (h *Host) cores() results.Finding {
	cpus := h.Topology()
	if len(cpus) == 0 {
		return h.coresBySysctl()
	}
	cores := map[int]bool{}
	byKind := map[int][]int{}
	for _, c := range cpus {
		cores[c.Core] = true
		byKind[c.Kind] = append(byKind[c.Kind], c.ID)
	}
	f := good("cores", coresText(len(cores), len(cpus)))
	if len(byKind) < 2 {
		return f
	}
	var parts []string
	for kind := range len(byKind) {
		parts = append(parts, "CPUs "+pin.Format(byKind[kind]))
	}
	f.Grade = results.Fair
	f.Text += fmt.Sprintf(", of %d unlike kinds: %s", len(byKind), strings.Join(parts, " and "))
	f.Advice = "keep a run on one kind: --pin " + pin.Format(byKind[0])
	return f
}

func coresText(cores, cpus int) string {
	text := units.Count(cores, "core")
	switch {
	case cpus == cores:
		return text + ", one thread each"
	case cpus%cores == 0:
		return fmt.Sprintf("%s, %d threads each: workers beyond %d share cores", text, cpus/cores, cores)
	}
	return fmt.Sprintf("%s, %d threads: workers beyond %d share cores", text, cpus, cores)
}

// coresBySysctl is for FreeBSD (kern.smp) and macOS (hw.physicalcpu).
func (h *Host) coresBySysctl() results.Finding {
	cpus, ok := h.sysctlNumber("hw.ncpu")
	if !ok || cpus < 1 {
		return notKnown("cores")
	}
	cores, ok := h.sysctlNumber("kern.smp.cores")
	if !ok {
		cores, ok = h.sysctlNumber("hw.physicalcpu")
	}
	if !ok || cores < 1 {
		return good("cores", units.Count(int(cpus), "CPU"))
	}
	f := good("cores", coresText(int(cores), int(cpus)))
	fast, ok1 := h.sysctlNumber("hw.perflevel0.physicalcpu")
	slow, ok2 := h.sysctlNumber("hw.perflevel1.physicalcpu")
	if ok1 && ok2 && fast > 0 && slow > 0 {
		f.Grade = results.Fair
		f.Text += fmt.Sprintf(", of 2 unlike kinds: %d fast, %d efficient", fast, slow)
		f.Advice = fmt.Sprintf("threads cannot be bound here; keep to %s or fewer", units.Count(int(fast), "worker"))
	}
	return f
}

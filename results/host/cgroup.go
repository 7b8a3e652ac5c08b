package host

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/pin"
	"gelibench/results/units"
)

// cgroupDirs lists the folders of this process's CPU controller, from its own
// group up to the mount, in version 2 and version 1. Any of them may hold a
// quota. They are paths in the tree.
func (h *Host) cgroupDirs() (v2, v1 []string) {
	groups, _ := h.files.text("proc/self/cgroup")
	mounts, _ := h.files.text("proc/self/mountinfo")
	for line := range strings.Lines(groups) {
		// "hierarchy:controllers:path"
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		switch {
		case f[0] == "0" && f[1] == "":
			v2 = h.upTo(mounts, "cgroup2", "", f[2])
		case hasWord(f[1], "cpu"):
			v1 = h.upTo(mounts, "cgroup", "cpu", f[2])
		}
	}
	return v2, v1
}

// upTo finds where a group's folder is, and lists it with those above it.
func (h *Host) upTo(mounts, fsType, controller, group string) []string {
	for line := range strings.Lines(mounts) {
		// "... root mountpoint options ... - type source superoptions"
		before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
		m, super := strings.Fields(before), strings.Fields(after)
		if !ok || len(m) < 5 || len(super) < 3 || super[0] != fsType {
			continue
		}
		if controller != "" && !hasWord(super[2], controller) {
			continue
		}
		root, mount := m[3], strings.TrimPrefix(path.Clean(m[4]), "/")
		// In a container the mount may begin below the root that the path
		// counts from; if they don't fit, the mount is all that can be seen.
		below, ok := strings.CutPrefix(path.Clean("/"+group), strings.TrimSuffix(root, "/"))
		at := path.Join(mount, below)
		if !ok || below != "" && below[0] != '/' || !h.files.has(at) {
			at = mount
		}
		var dirs []string
		for ; ; at = path.Dir(at) {
			dirs = append(dirs, at)
			if at == mount || at == "." {
				return dirs
			}
		}
	}
	return nil
}

func hasWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// cpuQuota is how many CPUs' worth of time the cgroups allow; limited is false
// if they set no bound. where names the file with the lowest one.
func (h *Host) cpuQuota() (cpus float64, where string, limited, known bool) {
	lower := func(quota, period float64, file string) {
		if quota > 0 && period > 0 && (!limited || quota/period < cpus) {
			cpus, where, limited = quota/period, file, true
		}
	}
	v2, v1 := h.cgroupDirs()
	for _, dir := range v2 {
		file := dir + "/cpu.max" // "max 100000" or "50000 100000", µs
		if f := strings.Fields(first(h.files.text(file))); len(f) == 2 {
			known = true
			lower(number(f[0]), number(f[1]), file)
		}
	}
	for _, dir := range v1 {
		file := dir + "/cpu.cfs_quota_us" // -1: none
		quota, ok1 := h.files.number(file)
		period, ok2 := h.files.number(dir + "/cpu.cfs_period_us")
		if ok1 && ok2 {
			known = true
			lower(float64(quota), float64(period), file)
		}
	}
	// The root groups have no such files, and no quota.
	return cpus, where, limited, known || len(v1)+len(v2) > 0
}

func first(text string, _ bool) string { return text }

// number reads a number, or gives 0.
func number(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// throttle is how often, and for how long, quotas have stopped the process's
// groups. ok is false where no group has a quota's counters.
type throttle struct {
	times int64
	us    int64
	ok    bool
}

// throttled reads the counters of the groups in dirs.
func (h *Host) throttled(dirs []string) throttle {
	var t throttle
	for _, dir := range dirs {
		f := h.files.fields(dir + "/cpu.stat")
		if f["nr_throttled"] == "" {
			continue
		}
		t.ok = true
		t.times += int64(number(f["nr_throttled"]))
		t.us += int64(number(f["throttled_usec"])) + int64(number(f["throttled_time"]))/1000 // v1: ns
	}
	return t
}

// quota compares the cgroup's quota with the CPUs that there are.
func (h *Host) quota() results.Finding {
	quota, where, limited, known := h.cpuQuota()
	switch {
	case !known:
		return notKnown("quota")
	case !limited:
		return good("quota", "none")
	}
	n := len(h.allowed())
	f := good("quota", fmt.Sprintf("%.3g CPUs' worth of time, GOMAXPROCS is %d", quota, h.self.gomaxprocs))
	if n > 0 && quota >= float64(n) {
		f.Text += fmt.Sprintf(": no bound on %s", units.Count(n, "CPU"))
		return f
	}
	f.Grade = results.Fair
	f.Advice = fmt.Sprintf("lift it in /%s, or use no more than %s", where, units.Count(int(quota), "worker"))
	if quota < 1 {
		f.Grade = results.Unreliable
		f.Text += ": even one worker is stopped in every period"
		f.Advice = "lift it in /" + where
	} else {
		f.Text += ": more workers are stopped in every period"
	}
	return f
}

// affinity compares the mask with the machine and with GOMAXPROCS.
func (h *Host) affinity() results.Finding {
	allowed, online := h.allowed(), h.online()
	if len(allowed) == 0 {
		return notKnown("affinity")
	}
	text := fmt.Sprintf("all of CPUs %s", pin.Format(allowed))
	if len(online) > len(allowed) {
		text = fmt.Sprintf("%s of %s: %s", units.Count(len(allowed), "CPU"), pin.Format(online), pin.Format(allowed))
	}
	f := good("affinity", fmt.Sprintf("%s, GOMAXPROCS %d", text, h.self.gomaxprocs))
	switch {
	case h.self.gomaxprocs > len(allowed):
		f.Grade = results.Fair
		f.Text += ": Go runs more threads than there are CPUs"
		f.Advice = fmt.Sprintf("use no more than %s, and unset GOMAXPROCS", units.Count(len(allowed), "worker"))
	case h.self.gomaxprocs == 1 && len(allowed) > 1:
		f.Grade = results.Fair
		f.Text += ": the clock that ends a sample waits for the worker"
		f.Advice = "unset GOMAXPROCS"
	}
	return f
}

package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
)

// crypto lists the features that engines can use, and those that the
// processor has but a hypervisor seems to hide.
func (h *Host) crypto() results.Finding {
	text := strings.Join(h.Features, " ")
	if text == "" {
		text = "none that an engine uses"
	}
	f := good("crypto", text)
	if len(h.SwitchedOff) > 0 {
		f.Text += "; switched off: " + strings.Join(h.SwitchedOff, " ")
	}
	if hidden := h.hidden(); len(hidden) > 0 {
		f.Grade = results.Fair
		f.Text += fmt.Sprintf("; the hypervisor seems to hide %s", strings.Join(hidden, " "))
		f.Advice = "give the guest the host's own CPU model (QEMU: -cpu host)"
	}
	return f
}

// hidden lists features that this processor must have, in the spelling of
// /proc/cpuinfo, and that a guest of it does not see. It only says what is
// certain:
//   - every x86 processor with AVX2 has AES and PCLMULQDQ (Haswell, Excavator
//     and Isaiah II were the first ones);
//   - AMD has SHA from family 23 (Zen), VAES and VPCLMULQDQ from Zen 3, which
//     is family 25;
//   - Intel's servers have all three from Ice Lake on;
//   - nobody made VAES without VPCLMULQDQ, or the other way round.
func (h *Host) hidden() []string {
	info := h.files.fields("proc/cpuinfo")
	flags := strings.Fields(info["flags"])
	has := func(flag string) bool { return slices.Contains(flags, flag) }
	if !has("hypervisor") {
		return nil
	}
	family, _ := strconv.Atoi(info["cpu family"])
	model, _ := strconv.Atoi(info["model"])
	var must []string
	if has("avx2") || has("avx512f") {
		must = append(must, "aes", "pclmulqdq")
	}
	switch info["vendor_id"] {
	case "AuthenticAMD", "HygonGenuine":
		if family >= 23 {
			must = append(must, "aes", "pclmulqdq", "avx2", "sha_ni")
		}
		if family >= 25 {
			must = append(must, "vaes", "vpclmulqdq")
		}
	case "GenuineIntel":
		// Ice Lake SP and D, Sapphire Rapids, Emerald Rapids, Granite Rapids.
		if family == 6 && slices.Contains([]int{0x6a, 0x6c, 0x8f, 0xcf, 0xad, 0xae}, model) {
			must = append(must, "aes", "pclmulqdq", "avx2", "sha_ni", "vaes", "vpclmulqdq", "avx512f")
		}
	}
	if has("vaes") != has("vpclmulqdq") {
		must = append(must, "vaes", "vpclmulqdq")
	}
	var hidden []string
	for _, flag := range must {
		if !has(flag) && !slices.Contains(hidden, flag) {
			hidden = append(hidden, flag)
		}
	}
	return hidden
}

// hypervisor says whether this is a guest, and of what.
func (h *Host) hypervisor() results.Finding {
	guest := func(of string) results.Finding {
		return good("hypervisor", "guest of "+of+": others may share the processor")
	}
	for _, name := range []string{"kern.vm_guest", "kern.hv_vmm_present"} {
		switch text := h.sysctlText(name); {
		case text == "none" || text == "0":
			return good("hypervisor", "none")
		case text == "1":
			return guest("a hypervisor")
		case text != "":
			return guest(text)
		}
	}
	if text, ok := h.files.text("sys/hypervisor/type"); ok && text != "" {
		return guest(text)
	}
	vendor, _ := h.files.text("sys/class/dmi/id/sys_vendor")
	product, _ := h.files.text("sys/class/dmi/id/product_name")
	for _, known := range []struct{ text, name string }{
		{"QEMU", "QEMU"}, {"KVM", "KVM"}, {"VMware", "VMware"}, {"VirtualBox", "VirtualBox"},
		{"innotek", "VirtualBox"}, {"Amazon EC2", "Amazon EC2"}, {"Google Compute", "Google Compute Engine"},
		{"Virtual Machine", "Hyper-V"}, {"Parallels", "Parallels"}, {"BHYVE", "bhyve"}, {"Xen", "Xen"},
	} {
		// EC2's metal instances carry the vendor's name and are no guests.
		if strings.Contains(vendor+" "+product, known.text) && !strings.Contains(product, ".metal") {
			return guest(known.name)
		}
	}
	info := h.files.fields("proc/cpuinfo")
	if flags, ok := info["flags"]; ok {
		if slices.Contains(strings.Fields(flags), "hypervisor") {
			sources, _ := h.files.text(clockDir + "available_clocksource")
			switch {
			case strings.Contains(sources, "kvm-clock"):
				return guest("KVM")
			case strings.Contains(sources, "hyperv"):
				return guest("Hyper-V")
			}
			return guest("a hypervisor")
		}
		return good("hypervisor", "none")
	}
	return notKnown("hypervisor")
}

// governor says who sets the clock, and whether it is left alone.
func (h *Host) governor() results.Finding {
	counts := map[string]int{}
	for _, id := range h.allowed() {
		if text, ok := h.files.text(cpuFile(id, "cpufreq/scaling_governor")); ok {
			counts[text]++
		}
	}
	if len(counts) == 0 {
		return h.governorBySysctl()
	}
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	f := good("governor", strings.Join(names, " and "))
	if slices.Equal(names, []string{"performance"}) {
		return f
	}
	f.Grade = results.Fair
	f.Text += ": the clock follows the load"
	f.Advice = "cpupower frequency-set -g performance"
	return f
}

// governorBySysctl compares FreeBSD's clock with the highest of its levels,
// which are written as "MHz/milliwatts", the highest first.
func (h *Host) governorBySysctl() results.Finding {
	now, ok := h.sysctlNumber("dev.cpu.0.freq")
	first, _, _ := strings.Cut(h.sysctlText("dev.cpu.0.freq_levels"), "/")
	highest, err := strconv.ParseInt(first, 10, 64)
	if !ok || err != nil || now < 1 {
		return notKnown("governor")
	}
	f := good("governor", fmt.Sprintf("at %d of %d MHz", now, highest))
	if now < highest {
		f.Grade = results.Fair
		f.Text += ": the clock is lowered"
		f.Advice = fmt.Sprintf("stop powerd(8), then sysctl dev.cpu.0.freq=%d", highest)
	}
	return f
}

// boost says whether the clock may go above its nominal one. Nearly every
// machine is left so; whether it keeps it up is seen by the watch.
func (h *Host) boost() results.Finding {
	on, ok := h.files.number(cpuDir + "cpufreq/boost")
	if off, isIntel := h.files.number(cpuDir + "intel_pstate/no_turbo"); isIntel {
		on, ok = 1-off, true
	}
	switch {
	case !ok:
		return notKnown("boost")
	case on == 1:
		return good("boost", "on: the clock depends on heat, and is watched")
	}
	return good("boost", "off")
}

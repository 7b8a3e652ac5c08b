//go:build (amd64 || 386) && !purego

package cpu

import (
	"strings"

	"golang.org/x/sys/cpu"
)

// cpuid runs the CPUID instruction.
//
//go:noescape
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// detect looks for itself only where x/sys/cpu does not: it reports VAES and
// VPCLMULQDQ only together with AVX-512, does not know SHA at all, and keeps
// VAES under GODEBUG=cpu.aes=off, which resolve repairs.
func detect() map[Feature]bool {
	x := &cpu.X86
	raw := map[Feature]bool{
		SSSE3: x.HasSSSE3, SSE41: x.HasSSE41,
		AES: x.HasAES, PCLMULQDQ: x.HasPCLMULQDQ,
		AVX: x.HasAVX, AVX2: x.HasAVX2, // both include the system's consent
		BMI2:    x.HasBMI2,
		AVX512F: x.HasAVX512F, AVX512BW: x.HasAVX512BW, AVX512DQ: x.HasAVX512DQ, AVX512VL: x.HasAVX512VL,
	}
	if highest, _, _, _ := cpuid(0, 0); highest >= 7 {
		_, ebx, ecx, _ := cpuid(7, 0)
		raw[SHA] = ebx&(1<<29) != 0
		raw[VAES] = ecx&(1<<9) != 0
		raw[VPCLMULQDQ] = ecx&(1<<10) != 0
	}
	raw[PadLock] = padLock()
	return raw
}

// padLock asks VIA's and Zhaoxin's own leaf whether the ACE is there and
// switched on (bits 6 and 7).
func padLock() bool {
	switch vendor() {
	case "CentaurHauls", "  Shanghai  ":
	default:
		return false
	}
	if highest, _, _, _ := cpuid(0xC0000000, 0); highest < 0xC0000001 {
		return false
	}
	_, _, _, edx := cpuid(0xC0000001, 0)
	return edx&(3<<6) == 3<<6
}

func vendor() string {
	_, b, c, d := cpuid(0, 0)
	return registers(b, d, c)
}

// Model is the processor's own name, or "" if it does not tell.
func Model() string {
	if highest, _, _, _ := cpuid(0x80000000, 0); highest < 0x80000004 {
		return ""
	}
	var name strings.Builder
	for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
		a, b, c, d := cpuid(leaf, 0)
		name.WriteString(registers(a, b, c, d))
	}
	return strings.Join(strings.Fields(strings.TrimRight(name.String(), "\x00")), " ")
}

// registers reads text out of registers, low byte first.
func registers(regs ...uint32) string {
	var b []byte
	for _, r := range regs {
		b = append(b, byte(r), byte(r>>8), byte(r>>16), byte(r>>24))
	}
	return string(b)
}

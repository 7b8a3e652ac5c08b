package host

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// sysctlText asks for a text; "" if there is no such name, or for a number
// that is printed as one: 4 or 8 bytes with a zero in them.
func (h *Host) sysctlText(name string) string {
	b := h.self.sysctl(name)
	if n, ok := integer(b); ok {
		if n == 0 || n == 1 {
			return string('0' + byte(n))
		}
	}
	return strings.TrimSpace(string(bytes.TrimRight(b, "\x00")))
}

// sysctlNumber asks for an int or a long.
func (h *Host) sysctlNumber(name string) (int64, bool) {
	return integer(h.self.sysctl(name))
}

func integer(b []byte) (int64, bool) {
	switch len(b) {
	case 4:
		return int64(int32(binary.NativeEndian.Uint32(b))), true
	case 8:
		return int64(binary.NativeEndian.Uint64(b)), true
	}
	return 0, false
}

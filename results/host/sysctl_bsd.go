//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package host

import "golang.org/x/sys/unix"

// sysctl reads a value as it stands; nil if there is none of that name.
func sysctl(name string) []byte {
	b, err := unix.SysctlRaw(name)
	if err != nil {
		return nil
	}
	return b
}

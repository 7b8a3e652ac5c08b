//go:build !(darwin || freebsd || netbsd || openbsd || dragonfly)

package host

func sysctl(string) []byte { return nil }

//go:build linux || freebsd

package peer

import "syscall"

// dieWithUs has the system end a process when gelibench is killed.
func dieWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

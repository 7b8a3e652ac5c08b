//go:build unix

package peer

import (
	"os/exec"
	"syscall"
)

// apart gives a process a group of its own, so that a terminal's interrupt does
// not reach it, and that all it starts can be ended with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithUs(cmd.SysProcAttr)
}

// kill ends the process and all of its group.
func kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// alarm sends what the process's own timer would.
func alarm(cmd *exec.Cmd) { cmd.Process.Signal(syscall.SIGALRM) }

// canAlarm says whether alarm does anything.
const canAlarm = true

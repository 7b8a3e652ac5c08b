//go:build !unix

package peer

import "os/exec"

func apart(*exec.Cmd) {}

func kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return cmd.Process.Kill()
}

func alarm(*exec.Cmd) {}

const canAlarm = false

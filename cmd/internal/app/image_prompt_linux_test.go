package app

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pseudoTerminal is a terminal and the side that types.
func pseudoTerminal(t *testing.T) (terminal, keyboard *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return terminal, keyboard
}

func echoes(t *testing.T, terminal *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// asking is a verb that asks at a terminal, with the signals it may get.
func asking(t *testing.T, terminal *os.File, repeat bool) (env Env, interrupt chan os.Signal, answer chan error, passphrase *[]byte, stderr *bytes.Buffer) {
	interrupt, answer = make(chan os.Signal, 1), make(chan error, 1)
	passphrase, stderr = new([]byte), new(bytes.Buffer)
	env = Env{Stdin: terminal, Stderr: stderr, Signals: func() (Signals, func()) { return Signals{Interrupt: interrupt}, func() {} }}
	go func() {
		var err error
		*passphrase, err = askPassphrase(env, "j", repeat)
		answer <- err
	}()
	for began := time.Now(); echoes(t, terminal); time.Sleep(time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			t.Fatal("the echo was not switched off in 30 s")
		}
	}
	return env, interrupt, answer, passphrase, stderr
}

func TestPassphraseIsNotEchoed(t *testing.T) {
	terminal, keyboard := pseudoTerminal(t)
	_, _, answer, passphrase, stderr := asking(t, terminal, false)
	if _, err := io.WriteString(keyboard, "correct horse\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-answer; err != nil || string(*passphrase) != "correct horse" {
		t.Errorf("%q, %v", *passphrase, err)
	}
	if !echoes(t, terminal) {
		t.Error("the echo is still off")
	}
	// What the terminal has shown: whatever is there before a mark of our own.
	if _, err := io.WriteString(terminal, "END"); err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for buf := make([]byte, 100); !strings.Contains(shown.String(), "END"); {
		n, err := keyboard.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		shown.Write(buf[:n])
	}
	if strings.Contains(shown.String(), "horse") || strings.Contains(stderr.String(), "horse") {
		t.Errorf("shown: %q, stderr: %q", shown.String(), stderr.String())
	}
}

func TestInterruptGivesTheEchoBack(t *testing.T) {
	terminal, keyboard := pseudoTerminal(t)
	_, interrupt, answer, _, _ := asking(t, terminal, true)
	interrupt <- os.Interrupt
	if err := <-answer; exitCode(err) != exitInterrupted {
		t.Errorf("%v", err)
	}
	if !echoes(t, terminal) {
		t.Error("the echo is still off")
	}
	io.WriteString(keyboard, "\n") // lets the pending read end
}

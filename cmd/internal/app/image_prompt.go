package app

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/term"

	"gelibench/geli/mem"
)

// askPassphrase asks at the terminal, without echo, twice if repeat is set. flag
// is the one that names a passfile instead.
func askPassphrase(env Env, flag string, repeat bool) ([]byte, error) {
	stdin, ok := env.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(stdin.Fd())) {
		return nil, usage(fmt.Sprintf("-%s FILE, or -%s - for stdin", flag, flag), "no passphrase is given, and stdin is no terminal to ask at")
	}
	first, err := askOnce(env, stdin, "Passphrase: ")
	if err != nil || !repeat {
		return first, err
	}
	second, err := askOnce(env, stdin, "The same again: ")
	defer mem.Wipe(second)
	if err == nil && !bytes.Equal(first, second) {
		err = usage("", "the two passphrases differ")
	}
	if err != nil {
		mem.Wipe(first)
		return nil, err
	}
	return first, nil
}

// askOnce reads one line. An interrupt gives the terminal its echo back before
// it ends the verb.
func askOnce(env Env, stdin *os.File, prompt string) ([]byte, error) {
	fd := int(stdin.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	signals, stop := env.Signals()
	defer stop()
	type answer struct {
		line []byte
		err  error
	}
	answers := make(chan answer, 1)
	fmt.Fprint(env.Stderr, prompt)
	go func() {
		line, err := term.ReadPassword(fd)
		answers <- answer{line, err}
	}()
	select {
	case a := <-answers:
		fmt.Fprintln(env.Stderr)
		if a.err != nil {
			return nil, fmt.Errorf("reading the passphrase: %w", a.err)
		}
		if len(a.line) > maxPassphrase {
			mem.Wipe(a.line)
			return nil, usage("", "a passphrase of more than %d bytes: geli(8) takes none", maxPassphrase)
		}
		if a.line == nil {
			a.line = []byte{}
		}
		return a.line, nil
	case <-signals.Interrupt:
		term.Restore(fd, before)
		fmt.Fprintln(env.Stderr)
		return nil, errInterrupted
	}
}

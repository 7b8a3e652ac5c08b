package app

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/plan"
	"gelibench/results"
	"gelibench/results/measure"
)

// What the standard library uses of a processor is settled when a process
// starts, so a case without AES instructions takes a process of its own: this
// program again, with a hidden verb. The two talk in lines of JSON. The child
// says first that it is ready, its engine self-tested; then it answers each
// order with a sample, until its stdin ends.

// childVerb is the hidden verb.
const childVerb = "sample-on-order"

// withoutSuffix ends the name of an engine in a process without AES
// instructions.
const withoutSuffix = "-noaes"

// noAES is the setting of such a process.
const noAES = "cpu.aes=off"

// order asks for a sample.
type order struct {
	Requests int64         `json:"requests,omitempty"`
	Time     time.Duration `json:"time_ns,omitempty"`
	LeadIn   time.Duration `json:"lead_in_ns,omitempty"`
}

// reply is a sample, or an error. CPU is what the child used so far.
type reply struct {
	Sample results.Sample `json:"sample"`
	CPU    time.Duration  `json:"cpu_ns"`
	Error  string         `json:"error,omitempty"`
}

func childVerbOf(env Env) *cli.Command {
	return &cli.Command{
		Name: childVerb, Hidden: true, ArgsUsage: "gzero",
		Usage: "take samples as ordered on stdin",
		Flags: append(append(append(cipherFlags(), requestFlags()...), engineFlags()...), sureFlags()...),
		Action: func(c *cli.Context) error {
			b, cases, done, err := onetimeBench(c, env)
			if err != nil {
				return err
			}
			defer done()
			if len(cases) != 1 {
				return usage("", "one case, not %d", len(cases))
			}
			return b.serve(env.Stdin, env.Stdout)
		},
	}
}

// serve takes orders until there are no more.
func (b *bench) serve(in io.Reader, out io.Writer) error {
	if err := b.selfTest(); err != nil {
		return err
	}
	r, err := b.newRig(b.jobs[0], nil)
	if err != nil {
		return err
	}
	defer r.close()
	answers := json.NewEncoder(out)
	if err := answers.Encode(reply{}); err != nil {
		return err
	}
	moved := int64(0)
	for orders := json.NewDecoder(in); ; {
		var o order
		if err := orders.Decode(&o); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var a reply
		a.Sample, err = r.Sample(context.Background(), measure.Want(o))
		moved += a.Sample.Bytes + a.Sample.LeadInBytes
		if err == nil {
			err = r.check(b.jobs[0].Op, moved)
		}
		if err != nil {
			a = reply{Error: err.Error()}
		}
		if user, system, ok := b.env.CPU.CPUTime(); ok {
			a.CPU = user + system
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

// child is the sampler of a case in a process of its own.
type child struct {
	cmd     *exec.Cmd
	orders  io.WriteCloser
	answers *json.Decoder
	stderr  strings.Builder
	cpu     time.Duration
	end     sync.Once
}

// newChild starts the process, and waits until it is ready.
func (b *bench) newChild(j job) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting gelibench again: %w", err)
	}
	args := []string{childVerb,
		"-e", j.Params.Alg.String(), "-l", strconv.Itoa(j.Params.KeyBits), "-s", strconv.Itoa(j.SectorBytes),
		"--bs", strconv.FormatInt(j.RequestBytes, 10), "--op", string(j.Op), "--workers", strconv.Itoa(j.Workers),
		"--engine", j.Engine.Name(), "--path", j.Path.Name, "--rekey", string(j.Path.Rekey),
	}
	if b.under.Clear {
		args = append(args, "--clear", "--byte", strconv.Itoa(int(b.under.Byte)))
	}
	if b.plan.Pin != "" {
		args = append(args, "--pin", b.plan.Pin)
	}
	c := &child{cmd: exec.Command(self, append(args, b.under.Name())...)}
	c.cmd.Args[0] = "gelibench"
	setting := j.GODEBUG
	if before := b.env.Getenv("GODEBUG"); before != "" {
		setting = before + "," + setting
	}
	c.cmd.Env = append(os.Environ(), "GODEBUG="+setting)
	c.cmd.Stderr = &c.stderr
	if c.orders, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.answers = json.NewDecoder(bufio.NewReader(out))
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting gelibench again, without AES instructions: %w", err)
	}
	if _, err := c.read(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// Sample orders a sample. When ctx ends, so does the child.
func (c *child) Sample(ctx context.Context, want measure.Want) (results.Sample, error) {
	if err := ctx.Err(); err != nil {
		return results.Sample{}, err
	}
	forget := context.AfterFunc(ctx, func() { c.cmd.Process.Kill() })
	defer forget()
	if err := json.NewEncoder(c.orders).Encode(order(want)); err != nil {
		return results.Sample{}, c.failed(err)
	}
	s, err := c.read()
	if cut := ctx.Err(); err != nil && cut != nil {
		return results.Sample{}, cut
	}
	return s, err
}

func (c *child) read() (results.Sample, error) {
	var a reply
	if err := c.answers.Decode(&a); err != nil {
		return results.Sample{}, c.failed(err)
	}
	c.cpu = a.CPU
	if a.Error != "" {
		return results.Sample{}, fmt.Errorf("process without AES instructions: %s", a.Error)
	}
	return a.Sample, nil
}

// failed says why the child does not answer, in its own words if it left some.
func (c *child) failed(err error) error {
	c.close()
	if words := strings.TrimSpace(c.stderr.String()); words != "" {
		return fmt.Errorf("process without AES instructions: %s", words)
	}
	return fmt.Errorf("process without AES instructions: %w", err)
}

// check is done by the child, after each sample.
func (c *child) check(plan.Op, int64) error { return nil }

func (c *child) close() {
	c.end.Do(func() {
		c.orders.Close()
		c.cmd.Wait()
	})
}

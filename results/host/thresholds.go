package host

import "time"

// What is told from what is not worth telling. Shares are of 1.
//
// The default precision of a figure is 1 %: what can change a figure by that
// much makes it fair, what can change it by several times that makes it
// unreliable.
const (
	// SameKindSpeed: cores whose speeds differ by less are of one kind.
	// Favoured cores of one kind differ by up to some 5 % in their highest
	// clock, the kinds of today's hybrids by 20 % and more.
	SameKindSpeed = 0.10

	// LoadFair and LoadUnreliable are load averages (one minute) by the CPU.
	// From one waiting task for each CPU on, a worker has to share. Below
	// LoadFloor, in tasks, a load average is what a shell and its last
	// command leave behind.
	LoadFair       = 0.25
	LoadUnreliable = 1.0
	LoadFloor      = 0.5

	// OthersFair is the share of all CPU time that other processes may take
	// beside a run: they heat the package and push lines out of the caches,
	// with an effect of about a tenth of their share. OthersTakeFair and
	// OthersTakeUnreliable are the share that is surely taken from the
	// workers, as no CPU was left for it: a system's daemons take less than
	// 5 % of one.
	OthersFair           = 0.10
	OthersTakeFair       = 0.05
	OthersTakeUnreliable = 0.25

	// PressureFair and PressureUnreliable are the share of time in which some
	// task waited for a CPU (PSI, 10 s average). A quiet system shows 0 to
	// 1 %: every wake-up waits a little.
	PressureFair       = 0.02
	PressureUnreliable = 0.20

	// StealFair and StealUnreliable are shares of the time in which the CPUs
	// wanted to run. Half a percent may fall on one case alone.
	StealFair       = 0.005
	StealUnreliable = 0.05

	// LostSpoils is the share of a sample that its workers may stand still
	// for a known cause, and still count: the default precision.
	LostSpoils = 0.01
	// LostFair and LostUnreliable are the same for all samples together.
	LostFair       = 0.01
	LostUnreliable = 0.05

	// SpoiledUnreliable is the share of samples that one cause may spoil:
	// with more, the middle half of the samples is not safe from it.
	SpoiledUnreliable = 0.25

	// ClockSpoils is how far the core clock may move during a sample, which
	// then stands for neither speed. Readings repeat within 0.5 %.
	ClockSpoils = 0.02
	// ClockFair and ClockUnreliable are how far the clock may move over a
	// run, between the twentieth parts at either end. The rates of a cipher
	// move as much.
	ClockFair       = 0.02
	ClockUnreliable = 0.05

	// SteadyFair and SteadyUnreliable are half the range between the parts of
	// one second in which the same work was done over and over.
	SteadyFair       = 0.01
	SteadyUnreliable = 0.05

	// TimerFair and TimerUnreliable are steps of the clock: with them, a
	// sample must take 10 ms and 100 ms for an error below 0.1 %.
	TimerFair       = 10 * time.Microsecond
	TimerUnreliable = 100 * time.Microsecond

	// SwitchCost bounds what one involuntary switch costs when one other
	// task wants the same CPU: the scheduler's slice of 3 ms on Linux, four
	// times over.
	SwitchCost = 12 * time.Millisecond
)

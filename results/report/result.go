package report

import (
	"math"
	"slices"
)

// Kind says what a Result is a figure of.
type Kind string

const (
	Cipher Kind = "cipher" // a cipher in memory, authenticated ones too
	Hash   Kind = "hash"   // a hash, a MAC, a checksum
	Disk   Kind = "disk"   // a disk, a file or a pipe, encrypted or not
	Memory Kind = "memory" // a RAM disk, a page cache, /dev/zero to /dev/null
	KDF    Kind = "kdf"    // a key derivation: iterations, never bytes
	Time   Kind = "time"   // a time line that belongs to no rate
	Other  Kind = "other"  // a rate of something this package can't name
)

// Direction says which way the bytes went.
type Direction string

const (
	UnknownDirection Direction = ""
	Encrypt          Direction = "encrypt"
	Decrypt          Direction = "decrypt"
	Both             Direction = "both" // the mean of both, as cryptotest prints it
	Reading          Direction = "read"
	Writing          Direction = "write"
)

// Clock is what a tool divided by.
type Clock string

const (
	UnknownClock Clock = ""
	Wall         Clock = "wall"
	UserCPU      Clock = "user-cpu"
)

// Result is one figure of a report. Zero values are unknown.
type Result struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line"` // of the figure, counted from 1
	Kind Kind   `json:"kind"`

	Tool    string `json:"tool,omitempty"`
	Version string `json:"version,omitempty"`
	Command string `json:"command,omitempty"` // the command line above the figure

	Name    string `json:"name,omitempty"`   // the algorithm as printed
	Cipher  string `json:"cipher,omitempty"` // "AES", "Serpent", "SHA-256"; "none" where the text says unencrypted
	Mode    string `json:"mode,omitempty"`   // "CBC", "XTS", "GCM"
	KeyBits int    `json:"key_bits,omitempty"`
	// Auth is what authenticates beside the cipher: "HMAC-SHA1", "HMAC/SHA256".
	Auth       string    `json:"auth,omitempty"`
	Direction  Direction `json:"direction,omitempty"`
	BlockBytes int64     `json:"block_bytes,omitempty"`  // bytes handed over in a call
	Sector     int64     `json:"sector_bytes,omitempty"` // of the encrypted provider

	BytesPerSecond float64 `json:"bytes_per_second,omitempty"` // 0 where there is no rate
	AsPrinted      string  `json:"as_printed,omitempty"`
	Seconds        float64 `json:"seconds,omitempty"`
	Bytes          int64   `json:"bytes,omitempty"`
	Ops            int64   `json:"ops,omitempty"` // calls, where a tool counts them
	// IterationsPerSecond, Iterations and MemoryKiB are a key derivation's.
	IterationsPerSecond float64 `json:"iterations_per_second,omitempty"`
	Iterations          int64   `json:"iterations,omitempty"`
	MemoryKiB           int64   `json:"memory_kib,omitempty"`

	Threads   int  `json:"threads,omitempty"`
	PerThread bool `json:"per_thread,omitempty"` // one of Threads that ran at once
	Run       int  `json:"run,omitempty"`        // 1, 2, … where the same case appears again

	Clock Clock   `json:"clock,omitempty"`
	Usage *Usage  `json:"usage,omitempty"`
	CPU   Machine `json:"cpu,omitzero"`

	Engine      string `json:"engine,omitempty"`      // "devcrypto", "padlock", "aes-generic"
	Accelerator string `json:"accelerator,omitempty"` // "hardware", "aesni(4)"; "none" where the text switches it off
	Device      string `json:"device,omitempty"`      // what dd, hdparm and the like read or wrote
	Clear       *bool  `json:"clear,omitempty"`       // kern.geom.zero.clear
	Label       string `json:"label,omitempty"`       // the heading the figure stands under
	Variant     string `json:"variant,omitempty"`     // "before", "(PadLock)", a row's or a column's own label
	State       string `json:"state,omitempty"`       // modules loaded before: "kldload aesni"
	Quoted      int    `json:"quoted,omitempty"`      // depth of mail quoting

	Repairs []Repair `json:"repairs,omitempty"`
	// Summary marks a figure worked out by hand from others of the text.
	Summary bool `json:"summary,omitempty"`
}

// Usage is what a time line says. A nil field was not stated.
type Usage struct {
	RealSeconds   *float64 `json:"real_seconds,omitempty"`
	UserSeconds   *float64 `json:"user_seconds,omitempty"`
	SystemSeconds *float64 `json:"system_seconds,omitempty"`
	CPUPercent    *float64 `json:"cpu_percent,omitempty"`
	// Computed says that CPUPercent is (user+system)/real, not printed.
	Computed bool `json:"computed,omitempty"`
	// WholeRun says that the line timed more than this figure.
	WholeRun bool `json:"whole_run,omitempty"`
}

// Machine is the processor a figure was taken on.
type Machine struct {
	Model  string  `json:"model,omitempty"`
	MHz    float64 `json:"mhz,omitempty"`   // rated, as stated; never a momentary clock
	Core   string  `json:"core,omitempty"`  // the kind of core, where a machine has several
	Board  string  `json:"board,omitempty"` // "Raspberry Pi Zero W Rev 1.1"
	Source string  `json:"source,omitempty"`
}

// Known tells whether anything is known of the processor.
func (m Machine) Known() bool { return m.Model != "" || m.Board != "" || m.Core != "" }

// String is the model, or the board where only that is known.
func (m Machine) String() string {
	switch {
	case m.Model != "":
		return m.Model
	case m.Core != "":
		return m.Core
	}
	return m.Board
}

// Fix is the name of a repair or of a doubt. The names are stable.
type Fix string

const (
	// UserTime: the tool divided by user CPU time while the work was done
	// elsewhere. The rate is recomputed from the nominal seconds: a lower bound.
	UserTime Fix = "user-time"
	// UserTimeTable: as UserTime, but there is nothing to recompute from.
	UserTimeTable Fix = "user-time-not-recomputed"
	// OneMiBTooMany: cryptsetup before 2.8 counts one repetition too many.
	// The rate stays as printed; Offered holds the corrected one.
	OneMiBTooMany Fix = "one-mib-too-many"
	TwoOps        Fix = "two-operations-a-loop" // cryptotest: one encryption and one decryption
	Megabits      Fix = "megabits-of-2^20"      // cryptotest's Mb is 2^20 bits
	BinaryUnit    Fix = "binary-unit"           // printed MB means MiB, kB means KiB
	UnitUnclear   Fix = "unit-ambiguous"        // MB may be 10^6 or 2^20; taken as 10^6
	NoK           Fix = "no-k"                  // openssl's value without k is bytes a second
	HalfKey       Fix = "xts-half-key"          // printed key bits are both halves
	SizesAssumed  Fix = "sizes-assumed"         // no header: block sizes by the number of columns
	OpsConstant   Fix = "ops-independent-of-size"
	TooShort      Fix = "too-short" // a run of a few milliseconds
	PerJob        Fix = "part-of-a-sum"
	Unfinished    Fix = "interrupted" // a progress line, a ^C
	NotACipher    Fix = "not-a-cipher-figure"
	SizeFromProse Fix = "size-from-prose"
	ToolDefault   Fix = "tool-default" // a value the tool takes when nothing is given
	Cached        Fix = "cached"       // a page cache or a RAM disk
	WrongResult   Fix = "wrong-ciphertext"
	// Unreliable is gelibench's own grade, Stated its mark for rates of others.
	Unreliable Fix = "unreliable"
	Stated     Fix = "stated-by-a-report"
	// Unnamed: what the figure is of has a part that isn't stated.
	Unnamed    Fix = "not-fully-named"
	WithoutEVP Fix = "without-evp" // openssl's own low-level code, not what programs use
)

// Repair is what was done to a figure, or what is to be doubted about it.
type Repair struct {
	Fix  Fix    `json:"fix"`
	Text string `json:"text"`
	// Offered is another rate that may be truer, where the printed one stands.
	Offered float64 `json:"offered_bytes_per_second,omitempty"`
}

// HasRate tells whether the figure is a number of bytes a second.
func (r Result) HasRate() bool { return r.BytesPerSecond > 0 }

// Has tells whether fix was applied to the figure.
func (r Result) Has(fix Fix) bool {
	return slices.ContainsFunc(r.Repairs, func(x Repair) bool { return x.Fix == fix })
}

// LowerBound tells whether the truth may be higher than the rate.
func (r Result) LowerBound() bool { return r.Has(UserTime) }

// impossible are the fixes that say that a rate is no measurement of a cipher.
var impossible = []Fix{OpsConstant, UserTimeTable, TooShort, Unfinished, NotACipher, Cached, WrongResult, PerJob, Unnamed}

// Comparable tells whether a comparison may use the figure; if not, why not.
func (r Result) Comparable() (ok bool, why string) {
	switch {
	case !r.HasRate() || math.IsInf(r.BytesPerSecond, 0) || math.IsNaN(r.BytesPerSecond):
		return false, "no rate"
	case r.Summary:
		return false, "worked out by hand from other figures"
	case r.PerThread:
		return false, "one of several threads that ran at once"
	}
	for _, x := range r.Repairs {
		if slices.Contains(impossible, x.Fix) {
			return false, x.Text
		}
	}
	return true, ""
}

// fix adds a repair, once.
func (r *Result) fix(f Fix, text string) {
	if !r.Has(f) {
		r.Repairs = append(r.Repairs, Repair{Fix: f, Text: text})
	}
}

// Warning is something in the text that looked like a figure and wasn't taken.
type Warning struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Provider is an encrypted provider that a text describes without a rate, as
// "geli list" does.
type Provider struct {
	Line      int    `json:"line"`
	Name      string `json:"name"`
	Cipher    string `json:"cipher,omitempty"`
	Mode      string `json:"mode,omitempty"`
	KeyBits   int    `json:"key_bits,omitempty"`
	Auth      string `json:"auth,omitempty"`
	Crypto    string `json:"crypto,omitempty"` // "hardware", "software", "accelerated software"
	Sector    int64  `json:"sector_bytes,omitempty"`
	MediaSize int64  `json:"media_bytes,omitempty"`
}

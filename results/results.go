// Package results knows numbers: what a run of measurements is, and what can
// be read off it. It knows nothing of ciphers or devices.
//
// A Run holds a Series for each Case; a Series holds the raw samples, from
// which everything else is computed late. What is absent is unknown.
package results

import "time"

// SchemaVersion is the value of Run.Schema written today. The schema is only
// ever extended: a reader of version N reads everything written as 1..N.
const SchemaVersion = 1

// Run is what one invocation measured, and the form of --json.
type Run struct {
	Schema  int       `json:"schema"`
	Tool    string    `json:"tool,omitempty"`    // "gelibench" or the tool a report came from
	Version string    `json:"version,omitempty"` // of the tool
	Start   time.Time `json:"start,omitzero"`
	// Command is the argument list that repeats the run, program name first.
	Command []string `json:"command,omitempty"`
	Host    Host     `json:"host"`
	Series  []Series `json:"series"`
	// Interrupted says that the run was ended early; what is here is whole.
	Interrupted bool   `json:"interrupted,omitempty"`
	Notes       []Note `json:"notes,omitempty"`
	// Method is the way of measuring, one of the Method constants. A change
	// that may move figures gets a number of its own.
	Method    int        `json:"method,omitempty"`
	Measuring *Measuring `json:"measuring,omitempty"`
	// Grade is the worst of what was found on the host and of the series.
	Grade    Grade     `json:"grade,omitempty"`
	Findings []Finding `json:"findings,omitempty"` // on the host, around the run
	// Answers are what was concluded from the series, for people.
	Answers []Answer `json:"answers,omitempty"`
}

// Host is where a run took place. It holds no host name.
type Host struct {
	OS       string   `json:"os,omitempty"`
	Arch     string   `json:"arch,omitempty"`
	CPUModel string   `json:"cpu_model,omitempty"`
	CPUs     int      `json:"cpus,omitempty"` // logical
	Features []string `json:"cpu_features,omitempty"`
	// FeaturesOff are features that the user took away from the engines; the
	// standard library does not know of it.
	FeaturesOff []string `json:"cpu_features_off,omitempty"`
	GOMAXPROCS  int      `json:"gomaxprocs,omitempty"`
	GoVersion   string   `json:"go_version,omitempty"`
}

// Case is what was measured: all that is needed to measure it again.
// Zero values and nil pointers mean unknown.
type Case struct {
	Op           string `json:"op,omitempty"`     // "read" (decrypts) or "write" (encrypts)
	Engine       string `json:"engine,omitempty"` // never "auto": what really ran
	Alg          string `json:"alg,omitempty"`
	KeyBits      int    `json:"key_bits,omitempty"` // one half for XTS
	AAlg         string `json:"aalg,omitempty"`     // of the integrity mode; absent without it
	SectorBytes  int    `json:"sector_bytes,omitempty"`
	RequestBytes int64  `json:"request_bytes,omitempty"`
	Workers      int    `json:"workers,omitempty"`
	Path         string `json:"path,omitempty"`        // "geli" or "batch"
	RunSectors   int    `json:"run_sectors,omitempty"` // most sectors handed to the engine at once
	Rekey        string `json:"rekey,omitempty"`       // "per-sector" or "cached"
	IVHash       string `json:"iv_hash,omitempty"`     // hasher that made the CBC IVs
	MACHash      string `json:"mac_hash,omitempty"`    // hasher that made the MACs of the integrity mode
	Provider     string `json:"provider,omitempty"`
	Clear        *bool  `json:"clear,omitempty"` // kern.geom.zero.clear
	Byte         *uint8 `json:"byte,omitempty"`  // kern.geom.zero.byte, where clear is on
	Pin          string `json:"pin,omitempty"`
	GOMAXPROCS   int    `json:"gomaxprocs,omitempty"`
	// PacedBytesPerSecond is the rate that all workers together were held to; 0
	// if they went as fast as they could.
	PacedBytesPerSecond float64 `json:"paced_bytes_per_second,omitempty"`
	// GODEBUG is the setting of a process of its own that measured the case.
	GODEBUG string `json:"godebug,omitempty"`
}

// Series is one case with its samples, or with a rate that somebody stated.
type Series struct {
	Case    Case        `json:"case"`
	Samples []Sample    `json:"samples,omitempty"`
	Stated  *StatedRate `json:"stated,omitempty"`
	Notes   []Note      `json:"notes,omitempty"`
	Grade   Grade       `json:"grade,omitempty"`
}

// StatedRate is a rate taken from a report that shows no samples.
type StatedRate struct {
	BytesPerSecond float64 `json:"bytes_per_second"`
	AsPrinted      string  `json:"as_printed,omitempty"`
}

// Sample is one timed stretch of a case, all workers together.
type Sample struct {
	Bytes int64 `json:"bytes"` // really moved
	// Requests counts every request, the partial ones too. A request is
	// partial if it moved less than Case.RequestBytes, as the last one before
	// the end of a provider may.
	Requests        int64 `json:"requests"`
	PartialRequests int64 `json:"partial_requests,omitempty"`
	ElapsedNS       int64 `json:"elapsed_ns"`
	// CPU time of the whole process in the stretch, from getrusage; nil where
	// the platform does not tell.
	UserNS   *int64 `json:"user_ns,omitempty"`
	SystemNS *int64 `json:"system_ns,omitempty"`

	// Round is the round that the sample belongs to, from 1; 0 if it was not
	// taken in rounds. StartNS is when it began, from the start of the run.
	Round   int   `json:"round,omitempty"`
	StartNS int64 `json:"start_ns,omitempty"`
	// The lead-in went right before the sample and is not counted in it.
	LeadInNS    int64 `json:"lead_in_ns,omitempty"`
	LeadInBytes int64 `json:"lead_in_bytes,omitempty"`
	// Spoiled says that something happened in the sample that makes it unfit
	// to be counted; Notes say what.
	Spoiled bool   `json:"spoiled,omitempty"`
	Notes   []Note `json:"notes,omitempty"`
	// Cycles are those of the cores that the workers ran on, all together, by
	// Measuring.CyclesSource.
	Cycles *int64 `json:"cycles,omitempty"`
	// Workers is what each worker did, where there are several.
	Workers []WorkerShare `json:"workers,omitempty"`
}

// WorkerShare is the part of one worker in a sample.
type WorkerShare struct {
	Bytes     int64 `json:"bytes"`
	ElapsedNS int64 `json:"elapsed_ns"` // from the common start to its own end
	// CPU time of the worker's thread in the sample; nil where not known.
	UserNS   *int64 `json:"user_ns,omitempty"`
	SystemNS *int64 `json:"system_ns,omitempty"`
}

// Note is a remark or a warning that travels with the figures.
type Note struct {
	Kind   string `json:"kind"` // a short stable word, such as "slow-path"
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"`
}

// Total adds the samples of a series up. CPU times are nil unless every sample
// has them. The zero Sample means that there are none.
func (s Series) Total() Sample {
	var t Sample
	var user, system int64
	known := len(s.Samples) > 0
	for _, x := range s.Samples {
		t.Bytes += x.Bytes
		t.Requests += x.Requests
		t.PartialRequests += x.PartialRequests
		t.ElapsedNS += x.ElapsedNS
		if x.UserNS == nil || x.SystemNS == nil {
			known = false
			continue
		}
		user += *x.UserNS
		system += *x.SystemNS
	}
	if known {
		t.UserNS, t.SystemNS = &user, &system
	}
	return t
}

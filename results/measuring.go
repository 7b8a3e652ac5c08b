package results

// The methods of measuring that records name. Figures taken by different ones
// are compared only when asked to.
const (
	MethodSeries = 1 // case after case; one sample of a counted number of requests, or up to ten in a time
	MethodRounds = 2 // rounds over all cases in random order, lead-in, stopped by precision
)

// Measuring is how the samples of a run were taken.
type Measuring struct {
	Seed int64 `json:"seed"` // of the random order
	// What ended the cases: a number of samples, or the precision, which is
	// the half-width of the interval as a share of the median; and the time
	// for the whole run, 0 if it had no bound.
	Samples   int     `json:"samples,omitempty"`
	Precision float64 `json:"precision,omitempty"`
	BudgetNS  int64   `json:"budget_ns,omitempty"`

	SampleNS int64 `json:"sample_ns"` // length that samples were to have
	LeadInNS int64 `json:"lead_in_ns,omitempty"`
	// ClockResolutionNS is the step of the clock that timed them; 0 if no step
	// was seen.
	ClockResolutionNS int64  `json:"clock_resolution_ns,omitempty"`
	CyclesSource      string `json:"cycles_source,omitempty"` // of Sample.Cycles: "perf_event", "add-chain"

	Rounds []Round `json:"rounds"`
}

// Round is one visit of all cases that had not ended.
type Round struct {
	// Order holds indexes of Run.Series in the order visited. A case that is
	// there twice had a spoiled sample, which was taken again.
	Order []int `json:"order"`
	// CoreHz is the clock of a core, as estimated right before and right after
	// the round; 0 if nobody did.
	CoreHzBefore float64 `json:"core_hz_before,omitempty"`
	CoreHzAfter  float64 `json:"core_hz_after,omitempty"`
}

package results

// Answer is what was concluded from a run, or a part of it. Everything in it
// can be worked out from the series again.
type Answer struct {
	// Question is what was asked: "verdict", or the verb that asks it.
	Question string   `json:"question"`
	Lines    []string `json:"lines,omitempty"` // the reasons, one line of the screen each
	Text     string   `json:"text"`            // the answer in one line
	Figures  []Figure `json:"figures,omitempty"`
}

// Figure is a number that an answer rests on. Lo and Hi are the ends of its
// 95 % interval; nil where that has no such end.
type Figure struct {
	Name  string   `json:"name"`            // a short stable word, such as "fixed_per_sector"
	About string   `json:"about,omitempty"` // what it is of: "aes-xts-256 read"
	Value float64  `json:"value"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	Unit  string   `json:"unit,omitempty"` // "ns", "bytes", "bytes_per_second"; absent for ratios and shares
}

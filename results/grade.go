package results

// Grade says how far figures, or a host, can be trusted. The empty grade means
// that nobody looked.
type Grade string

// The grades, from the best to the worst.
const (
	Good       Grade = "good"
	Fair       Grade = "fair"       // usable, with the reasons in mind
	Unreliable Grade = "unreliable" // not to be quoted
)

// rank orders the grades; what is not known comes before all.
func (g Grade) rank() int {
	switch g {
	case Good:
		return 1
	case Fair:
		return 2
	case Unreliable:
		return 3
	}
	return 0
}

// WorseThan says whether g is worse than other. Every grade is worse than the
// empty one.
func (g Grade) WorseThan(other Grade) bool { return g.rank() > other.rank() }

// Worst is the worst of the grades; empty if there is none.
func Worst(grades ...Grade) Grade {
	var worst Grade
	for _, g := range grades {
		if g.WorseThan(worst) {
			worst = g
		}
	}
	return worst
}

// Finding is one thing that somebody looked at, and what was found.
type Finding struct {
	Name   string `json:"name"`             // a short stable word, such as "governor"
	Text   string `json:"text"`             // what was found, for people
	Advice string `json:"advice,omitempty"` // the remedy, if there is one
	Grade  Grade  `json:"grade,omitempty"`  // empty: not known
}

// WorstOf is the worst grade of the findings; empty if none has one.
func WorstOf(findings []Finding) Grade {
	var worst Grade
	for _, f := range findings {
		worst = Worst(worst, f.Grade)
	}
	return worst
}

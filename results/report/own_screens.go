package report

import (
	"fmt"
	"regexp"
)

// ownScreen is a table of gelibench that holds no figure to be taken: its rows
// stand for several, or for figures of other texts.
type ownScreen struct {
	head    *regexp.Regexp
	what    string
	instead string
}

const seeRecord = "its figures are in the run's record (--json, gelibench history)"

var ownScreens = []ownScreen{
	{regexp.MustCompile(`^(?:\| )?lines?(?:  +| \| ).*\balgorithm\b`), "gelibench show", "read the text that it shows, or its --format csv or json"},
	{regexp.MustCompile(`^(?:\| )?case(?:  +| \| )figure(?:  +| \| |$)`), "gelibench compare", "read the files that it compares"},
	{regexp.MustCompile(`^machine  +processor  +figures\b|^cipher  +direction  +bytes  +MB/s\b`), "gelibench machines", "its --format csv or json is read"},
	{regexp.MustCompile(`^run  +began  +cases\b`), "gelibench history list", "gelibench history export has the figures"},
	{regexp.MustCompile(`^bytes +sector +MB/s +best\b|^sector +ns per\b`), "gelibench tune", seeRecord},
	{regexp.MustCompile(`^workers +MB/s +MB/s\b`), "gelibench scale", seeRecord},
	{regexp.MustCompile(`^engine +MB/s +times\b`), "gelibench accel", seeRecord},
	{regexp.MustCompile(`^cipher +op +path +MB/s\b`), "gelibench headroom", seeRecord},
	{regexp.MustCompile(`^MB/s, median . % +\|`), "gelibench peers", seeRecord},
	{regexp.MustCompile(`^sector +wor- +op\b`), "", ""}, // a verdict, below the table that has its figures,
}

// ownScreenLine passes over gelibench's tables of answers: up to a blank line.
func (rd *reader) ownScreenLine(l line) verdict {
	c := rd.peek(l)
	if c.screen > 0 && l.no <= c.screen+1 && !rd.gap {
		c.screen = l.no
		return yes
	}
	c.screen = 0
	s := l.text
	if len(s) < 12 || len(s) > 400 {
		return no
	}
	switch s[0] {
	case 'l', 'c', 'm', 'r', 'b', 's', 'w', 'e', 'M', '|':
	default:
		return no
	}
	for _, x := range ownScreens {
		if x.head.MatchString(s) {
			if x.what != "" {
				rd.warn(fmt.Sprintf("a table of %s isn't read: %s", x.what, x.instead))
			}
			c.screen = l.no
			rd.ownEnd(c)
			return yes
		}
	}
	return no
}

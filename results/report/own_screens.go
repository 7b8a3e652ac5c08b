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
	{regexp.MustCompile(`^(?:\| )?lines?(?:  +| \| ).*\balgorithm\b`), "a table of gelibench show", "read the text that it shows, or its --format csv or json"},
	{regexp.MustCompile(`^(?:\| )?case(?:  +| \| )figure(?:  +| \| |$)`), "a table of gelibench compare", "read the files that it compares"},
	{regexp.MustCompile(`^machine  +processor  +figures\b|^cipher  +direction  +bytes  +MB/s\b`), "a table of gelibench machines", "its --format csv or json is read"},
	{regexp.MustCompile(`^run  +began  +cases\b`), "a table of gelibench history list", "gelibench history export has the figures"},
	{regexp.MustCompile(`^bytes +sector +MB/s +best\b|^sector +ns per\b`), "a table of gelibench tune", seeRecord},
	{regexp.MustCompile(`^workers +MB/s +MB/s\b`), "a table of gelibench scale", seeRecord},
	{regexp.MustCompile(`^engine +MB/s +times\b`), "a table of gelibench accel", seeRecord},
	{regexp.MustCompile(`^cipher +op +path +MB/s\b`), "a table of gelibench headroom", seeRecord},
	{regexp.MustCompile(`^MB/s, median . % +\|`), "a table of gelibench peers", seeRecord},
	{regexp.MustCompile(`^\{?"(?:report_|machines_|comparison_)?schema": ?\d+,|^\{"(?:schema|file|machine)":|^(?:schema,run|file,line|machine,cpu),`), "gelibench's JSON or CSV inside a text", "put it into a file of its own"},
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
	if len(s) < 12 || len(s) > 1000 && s[0] != '{' {
		return no
	}
	switch s[0] {
	case 'l', 'c', 'm', 'r', 'b', 's', 'w', 'e', 'f', 'M', '|', '{', '"':
	default:
		return no
	}
	for _, x := range ownScreens {
		if x.head.MatchString(s) {
			if x.what != "" {
				rd.warn(fmt.Sprintf("%s isn't read: %s", x.what, x.instead))
			}
			c.screen = l.no
			rd.ownEnd(c)
			return yes
		}
	}
	return no
}

package format

import (
	"fmt"

	"gelibench/results"
)

// group holds the series that one table of another tool can show: such tables
// know a cipher, a key length and maybe a size, and nothing else. All else is
// the same within a group, and its heading says what it is.
type group struct {
	heading string
	series  []results.Series
}

// groups parts series by all that forget leaves of their cases. The order is
// that of the run.
func groups(series []results.Series, forget func(*results.Case)) []group {
	index := map[string]int{}
	var all []group
	for _, s := range series {
		c := s.Case
		forget(&c)
		shown := c
		zero := zeroDevice(c)
		c.Clear, c.Byte = nil, nil // as text they would be addresses
		key := fmt.Sprintf("%+v %s", c, zero)
		at, known := index[key]
		if !known {
			at = len(all)
			index[key] = at
			all = append(all, group{heading: Heading(results.Series{Case: shown})})
		}
		all[at].series = append(all[at].series, s)
	}
	return all
}

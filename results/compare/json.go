package compare

import (
	"encoding/json"
	"io"
	"math"
)

// Schema is the number of the form that JSON writes. It is only ever extended.
const Schema = 1

// record is a comparison for programs. What is not known is absent.
type record struct {
	Schema int    `json:"comparison_schema"`
	Base   string `json:"base"`
	// Nearest is true where no case was the same, and rows differ in key length
	// or sector size.
	Nearest bool        `json:"nearest,omitempty"`
	Rows    []rowRecord `json:"rows"`
	Alone   []alone     `json:"without_partner,omitempty"`
}

type rowRecord struct {
	Case    string       `json:"case"`
	Base    figureRecord `json:"base"`
	Figure  figureRecord `json:"figure"`
	Ratio   float64      `json:"ratio"` // of the figure over the base
	RatioLo *float64     `json:"ratio_lo,omitempty"`
	RatioHi *float64     `json:"ratio_hi,omitempty"`
	// Verdict is "faster", "slower" or "~" where both have samples.
	Verdict string   `json:"verdict,omitempty"`
	P       *float64 `json:"p,omitempty"` // corrected for all rows
	Marks   []string `json:"marks,omitempty"`
}

type figureRecord struct {
	Operand        string  `json:"operand"`
	Place          string  `json:"place,omitempty"`
	Label          string  `json:"label,omitempty"`
	CPU            string  `json:"cpu,omitempty"`
	Tool           string  `json:"tool,omitempty"`
	BytesPerSecond float64 `json:"bytes_per_second"`
	LowerBound     bool    `json:"lower_bound,omitempty"`
	Samples        int     `json:"samples,omitempty"`
}

type alone struct {
	Case    string       `json:"case"`
	Figure  figureRecord `json:"figure"`
	In      string       `json:"in"`
	Why     string       `json:"why,omitempty"`
	Refused string       `json:"refused,omitempty"`
}

func figureOf(f Figure) figureRecord {
	return figureRecord{f.Operand, f.Place, f.Label, f.CPU, f.Tool, f.Rate().Value, f.LowerBound, len(f.rates())}
}

// JSON writes a comparison as one object.
func JSON(w io.Writer, res Result) error {
	r := record{Schema: Schema, Base: res.Base.Name, Nearest: res.Nearest, Rows: []rowRecord{}}
	for _, x := range res.Rows {
		row := rowRecord{Case: caseName(x.Base), Base: figureOf(x.Base), Figure: figureOf(x.Figure), Ratio: x.Ratio.Value, Marks: x.Marks}
		row.RatioLo, row.RatioHi = bound(x.Ratio.Lo), bound(x.Ratio.Hi)
		if x.Tested {
			row.Verdict, row.P = x.Comparison.Verdict.String(), bound(x.Comparison.P)
		}
		r.Rows = append(r.Rows, row)
	}
	for _, a := range res.Alone {
		r.Alone = append(r.Alone, alone{caseName(a.Figure), figureOf(a.Figure), a.In, a.Why, a.Refused})
	}
	return encode(w, r)
}

func bound(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

func encode(w io.Writer, v any) error {
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	j.SetIndent("", "  ")
	return j.Encode(v)
}

type hostsRecord struct {
	Schema int               `json:"hosts_schema"`
	Hosts  []string          `json:"hosts"`
	Cases  []hostsCaseRecord `json:"cases"`
}

type hostsCaseRecord struct {
	Case                 string         `json:"case"`
	Figures              []figureRecord `json:"figures"` // by rising rate
	MedianBytesPerSecond float64        `json:"median_bytes_per_second"`
	Spread               float64        `json:"spread"`
	Out                  []outRecord    `json:"fall_out,omitempty"`
}

type outRecord struct {
	Host    string   `json:"host"`
	Ratio   float64  `json:"ratio"` // over the median
	Reasons []string `json:"reasons,omitempty"`
}

// HostsJSON writes what Among found as one object.
func HostsJSON(w io.Writer, hosts []Operand, cases []HostsCase) error {
	r := hostsRecord{Schema: Schema, Cases: []hostsCaseRecord{}}
	for _, h := range hosts {
		r.Hosts = append(r.Hosts, h.Name)
	}
	for _, c := range cases {
		x := hostsCaseRecord{Case: hostsCaseName(cases, c), MedianBytesPerSecond: c.Median, Spread: c.Spread}
		for _, f := range c.Figures {
			x.Figures = append(x.Figures, figureOf(f))
		}
		for _, o := range c.Out {
			x.Out = append(x.Out, outRecord{o.Figure.Operand, o.Ratio, o.Reasons})
		}
		r.Cases = append(r.Cases, x)
	}
	return encode(w, r)
}

// Package figures writes what package report read: as tables for people, and as
// CSV and JSON for programs, in which nothing is left out.
package figures

import (
	"fmt"
	"strings"

	"gelibench/results/report"
)

// Algorithm names what a figure is of in one word: "AES-256-CBC", or the name as
// the tool printed it where that says no more.
func Algorithm(r report.Result) string {
	if r.Cipher == "" {
		return r.Name
	}
	s := r.Cipher
	if r.KeyBits > 0 {
		s += fmt.Sprintf("-%d", r.KeyBits)
	}
	if r.Mode != "" {
		s += "-" + r.Mode
	}
	if r.Auth != "" {
		s += "+" + r.Auth
	}
	return s
}

// Machine is the processor with its clock, as far as known.
func Machine(m report.Machine) string {
	s := m.String()
	if m.Board != "" && m.Board != s {
		s += " (" + m.Board + ")"
	}
	if m.Core != "" && !strings.Contains(s, m.Core) {
		s = strings.TrimSpace(s + " " + m.Core)
	}
	if m.MHz > 0 {
		s = strings.TrimSpace(fmt.Sprintf("%s, %g MHz", s, m.MHz))
	}
	return s
}

// Tool is the tool with its version.
func Tool(r report.Result) string {
	return strings.TrimSpace(r.Tool + " " + r.Version)
}

// Doubts are the repairs of a figure as sentences, and why comparisons leave it
// out, if they do.
func Doubts(r report.Result) []string {
	var out []string
	ok, why := r.Comparable()
	for _, x := range r.Repairs {
		text := x.Text
		if x.Offered > 0 {
			text += "; the rate stands as printed, the truer one is offered"
		}
		if !ok && x.Text == why {
			text += " (left out of comparisons)"
			ok = true
		}
		out = append(out, text)
	}
	if r.HasRate() && !ok {
		out = append(out, why+" (left out of comparisons)")
	}
	return out
}

// Offered is a rate that is truer than the printed one; 0 of none.
func Offered(r report.Result) float64 {
	for _, x := range r.Repairs {
		if x.Offered > 0 {
			return x.Offered
		}
	}
	return 0
}

// Where is the place of a figure, "mail.txt:12".
func Where(file string, line int) string {
	if file == "" {
		file = "standard input"
	}
	return fmt.Sprintf("%s:%d", file, line)
}

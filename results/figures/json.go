package figures

import (
	"encoding/json"
	"io"

	"gelibench/results/report"
)

// Schema is the number of the form that JSON writes. It is only ever extended.
const Schema = 1

// JSON writes reports as one object: all their figures, the providers that they
// describe, and the warnings. What was not stated is absent.
func JSON(w io.Writer, reports []*report.Report) error {
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	j.SetIndent("", "  ")
	return j.Encode(struct {
		Schema  int              `json:"report_schema"`
		Reports []*report.Report `json:"reports"`
	}{Schema, reports})
}

// JSONL writes the figures of a report, each as an object on one line.
func JSONL(w io.Writer, list []report.Result) error {
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	for i := range list {
		if err := j.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

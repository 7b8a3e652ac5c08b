package format

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gelibench/results"
)

// inRounds is a run with everything that measuring in rounds records.
func inRounds() results.Run {
	return results.Run{
		Schema: 1, Method: results.MethodRounds, Grade: results.Fair,
		Findings: []results.Finding{{Name: "governor", Text: "powersave", Advice: "set it to performance", Grade: results.Fair}},
		Measuring: &results.Measuring{
			Seed: 1<<53 - 1, Precision: 0.01, BudgetNS: 30e9, SampleNS: 100e6, LeadInNS: 10e6, ClockResolutionNS: 30, CyclesSource: "add-chain",
			Rounds: []results.Round{{Order: []int{0, 0}, CoreHzBefore: 3.1e9, CoreHzAfter: 3.0e9}},
		},
		Series: []results.Series{{Case: gzero, Grade: results.Fair, Samples: []results.Sample{
			{
				Bytes: 3 << 20, Requests: 3, ElapsedNS: 100e6, Round: 1, StartNS: 10e6, LeadInNS: 10e6, LeadInBytes: 1 << 20,
				Spoiled: true, Notes: []results.Note{{Kind: "steal", Text: "12 % stolen"}}, Cycles: ptr(int64(300e6)),
				Workers: []results.WorkerShare{
					{Bytes: 1 << 20, ElapsedNS: 90e6, UserNS: ptr(int64(89e6)), SystemNS: ptr(int64(0))},
					{Bytes: 2 << 20, ElapsedNS: 100e6},
				},
			},
			{Bytes: 4 << 20, Requests: 4, ElapsedNS: 100e6, Round: 1, StartNS: 120e6},
		}}},
	}
}

func TestJSONRounds(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, inRounds()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	back, err := ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inRounds(), back); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	for old, bad := range map[string]string{
		`"round": 1`:              `"round": -1`,
		`"lead_in_ns": 10000000,`: `"lead_in_ns": -1,`,
		`"cycles": 300000000`:     `"cycles": -1`,
		`"elapsed_ns": 90000000`:  `"elapsed_ns": 100000001`,
		`"bytes": 2097152`:        `"bytes": 2097153`,
		`"user_ns": 89000000`:     `"user_ns": -1`,
		"          0,\n":          "          1,\n", // in an order
	} {
		if n := strings.Count(text, old); n < 1 {
			t.Fatalf("%s is not in the record:\n%s", old, text)
		}
		if _, err := ReadJSON(strings.NewReader(strings.Replace(text, old, bad, 1))); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s in place of %s: error %v", bad, old, err)
		}
	}
}

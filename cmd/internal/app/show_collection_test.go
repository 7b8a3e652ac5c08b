package app

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// stated are rates with their unit, as an index of reports writes them.
var stated = regexp.MustCompile(`(\d[\d,]*\.?\d*) ?(B/s|bytes/sec|KiB/s|MiB/s)`)

// elsewhere are rates of the index that are no figure of their report, by file
// and as the index has them: what its table claims wrongly, and the same rate
// in another unit, rounded.
var elsewhere = map[string]bool{
	"138-openssl102-zynq-engine-inflated.txt 18841600 B/s": true,
}

// The whole way through the command line: every rate that the index of a
// collection of reports states with its unit is in the CSV of that file, where
// such a collection lies beside the project.
func TestShowCollection(t *testing.T) {
	const folder = "../../../../shared/reports"
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		t.Skipf("no collection of reports beside the project: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d reports, %v", len(files), err)
	}
	var stdout, stderr bytes.Buffer
	env := System()
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(""), &stdout, &stderr
	if code := Main(append([]string{"gelibench", "show", "--format", "csv"}, files...), env); code != exitDone {
		t.Errorf("exit code %d; most of the reports hold figures", code)
	}
	r := csv.NewReader(&stdout)
	names, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, n := range names {
		column[n] = i
	}
	rates := map[string][]float64{}
	for {
		row, err := r.Read()
		if err != nil {
			if !errors.Is(err, csv.ErrFieldCount) && len(row) == 0 {
				break
			}
			t.Fatal(err)
		}
		if v, err := strconv.ParseFloat(row[column["bytes_per_second"]], 64); err == nil {
			rates[row[column["file"]]] = append(rates[row[column["file"]]], v)
		}
	}
	total, right := 0, 0
	for _, l := range strings.Split(string(index), "\n")[1:] {
		f := strings.Split(l, "\t")
		if len(f) < 5 {
			continue
		}
		for _, m := range stated.FindAllStringSubmatch(f[4], -1) {
			v, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
			if err != nil || elsewhere[f[0]+" "+m[0]] {
				continue
			}
			v *= map[string]float64{"KiB/s": 1 << 10, "MiB/s": 1 << 20}[m[2]] + map[string]float64{"B/s": 1, "bytes/sec": 1}[m[2]]
			total++
			found := false
			for _, rate := range rates[f[0]] {
				found = found || math.Abs(rate-v) <= max(1, 0.004*v)
			}
			if found {
				right++
			} else {
				t.Errorf("%s: no figure of %s", f[0], m[0])
			}
		}
	}
	if total < 60 {
		t.Errorf("the index states only %d rates with their units", total)
	}
	t.Logf("%d of %d", right, total)
}

package report

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// collection holds real reports that are no part of this project.
const collection = "../../../shared/reports"

// TestCollection counts the right values and the wrong ones that are read out
// of a collection of real reports, where one lies beside the project.
func TestCollection(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(collection, "*.txt"))
	if len(files) == 0 {
		t.Skipf("no reports in %s: the values of testdata/expected.tsv were not checked", collection)
	}
	reports := map[string]*Report{}
	for _, f := range files {
		rep := readFile(t, f)
		key, _, _ := strings.Cut(filepath.Base(f), "-")
		if key == "seed" {
			key = filepath.Base(f)[:8]
		}
		reports[key] = rep
	}
	text, err := os.ReadFile("testdata/expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, total := 0, 0
	for n, l := range strings.Split(string(text), "\n") {
		f := strings.Split(l, "\t")
		if len(f) != 3 {
			continue
		}
		total++
		rep := reports[f[0]]
		if rep == nil {
			t.Errorf("line %d: no report %s", n+1, f[0])
			continue
		}
		if found(rep, f[1], f[2]) {
			right++
		} else {
			t.Errorf("%s: no result with %s is %s", f[0], f[1], f[2])
		}
	}
	t.Logf("%d of %d right values", right, total)
	// No rate may be printed that the text doesn't hold.
	wrong, rates := 0, 0
	for key, rep := range reports {
		for _, r := range rep.Results {
			if !r.HasRate() {
				continue
			}
			rates++
			if why := r.wrong(); why != "" {
				wrong++
				t.Errorf("%s:%d: %s: %+v", key, r.Line, why, r)
			}
		}
	}
	for key, want := range resultsIn {
		if rep := reports[key]; rep != nil && len(rep.Results) != want {
			wrong += max(0, len(rep.Results)-want)
			t.Errorf("%s: %d results, want %d", key, len(rep.Results), want)
		}
	}
	t.Logf("%d rates, %d wrong", rates, wrong)
}

// wrong says what makes a result of a report impossible by its own fields.
func (r Result) wrong() string {
	const slack = 0.34 // what a reader lets pass is off by a quarter at most
	switch {
	case math.IsNaN(r.BytesPerSecond) || math.IsInf(r.BytesPerSecond, 0) || r.BytesPerSecond > 1e14:
		return "no rate of this world"
	case r.Line <= 0:
		return "no line"
	case r.Bytes > 0 && r.Seconds > 0 && r.Threads <= 1 && math.Abs(float64(r.Bytes)/r.Seconds-r.BytesPerSecond) > slack*r.BytesPerSecond+1000 && r.Seconds > 0.05:
		return "bytes, seconds and rate don't fit"
	case r.Mode == "XTS" && r.KeyBits > 256 && r.Cipher != "Threefish":
		return "both halves of an XTS key"
	}
	return ""
}

// resultsIn is how many results some reports hold, counted by hand.
var resultsIn = map[string]int{
	"001": 16, "002": 5 + 12, "004": 5 + 24, "005": 7 + 24, "006": 7 + 2*5, "008": 5 + 24, "009": 11, "011": 20, "012": 30, "013": 3, "018": 6, "019": 10, "020": 16,
	"022": 6, "025": 6, "026": 7, "027": 6, "028": 3, "031": 0, "032": 5, "037": 7, "039": 36, "040": 36, "041": 72, "042": 144, "043": 36 + 12 + 36, "044": 4*36 + 12, "045": 14*6 + 30 + 12 + 18,
	"046": 4, "047": 22, "050": 25, "051": 9, "052": 8, "053": 7, "054": 40, "055": 2, "056": 18, "057": 24, "058": 8, "059": 5 + 24 + 2, "060": 2, "061": 1, "062": 4, "063": 2, "064": 5, "065": 4,
	"066": 14, "067": 13, "070": 4, "074": 8 + 3, "077": 5 + 5 + 2, "079": 12 + 60, "082": 4, "085": 18, "086": 14 * 5, "087": 12 * 5, "088": 14 * 5, "089": 5, "091": 1, "092": 3, "095": 1, "097": 6,
	"098": 12, "099": 10, "100": 2, "103": 0, "107": 36, "108": 20, "110": 7 + 6, "111": 2, "112": 7 + 16, "113": 5, "114": 0, "115": 0, "120": 13, "121": 28, "122": 5, "127": 2, "130": 6, "131": 1,
	"134": 7 + 12, "135": 7 + 8, "137": 7 + 22, "138": 9, "139": 12, "141": 30, "142": 26, "143": 0, "seed-000": 10, "seed-001": 4, "seed-002": 2*18*5 + 30, "seed-003": 0, "seed-004": 2 + 17*5 + 1,
}

func readFile(t testing.TB, name string) *Report {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rep, err := Read(f, filepath.Base(name))
	if err != nil && !errors.Is(err, ErrNoResults) {
		t.Fatal(err)
	}
	return rep
}

// found tells whether a report holds a result that a selector picks and that
// has the value.
func found(rep *Report, selector, value string) bool {
	for _, r := range rep.Results {
		if picks(r, selector) && r.has(value) {
			return true
		}
	}
	return false
}

func picks(r Result, selector string) bool {
	for _, x := range strings.Fields(selector) {
		k, v, _ := strings.Cut(x, "=")
		v = strings.NewReplacer("_", " ", "~", "_").Replace(v)
		got := map[string]string{
			"t": r.Tool, "n": r.Name, "m": fmt.Sprintf("%s-%s-%d", r.Cipher, r.Mode, r.KeyBits), "d": string(r.Direction), "b": strconv.FormatInt(r.BlockBytes, 10),
			"s": strconv.FormatInt(r.Sector, 10), "k": string(r.Clock), "th": strconv.Itoa(r.Threads), "cpu": r.CPU.Model, "core": r.CPU.Core, "ver": r.Version, "mhz": strconv.FormatFloat(r.CPU.MHz, 'f', -1, 64), "eng": r.Engine, "acc": r.Accelerator, "v": r.Variant,
			"kind": string(r.Kind), "l": r.Label, "dev": r.Device, "q": strconv.Itoa(r.Quoted), "run": strconv.Itoa(r.Run), "st": r.State,
		}
		switch k {
		case "f":
			if !r.Has(Fix(v)) {
				return false
			}
		case "t", "l", "v", "st":
			if !strings.HasPrefix(got[k], v) || v == "" && got[k] != "" {
				return false
			}
		case "cpu":
			if !strings.Contains(r.CPU.Model+r.CPU.Core, v) || v == "" && r.CPU.Known() {
				return false
			}
		case "n":
			if v != "" && !strings.EqualFold(got[k], v) {
				return false
			}
		default:
			if got[k] != v {
				return false
			}
		}
	}
	return true
}

// has tells whether a result's value is the one written down, to 10^-6.
func (r Result) has(value string) bool {
	near := func(a, b, slack float64) bool { return math.Abs(a-b) <= slack }
	switch k, v, _ := strings.Cut(value, "="); k {
	case "i":
		n, _ := strconv.ParseFloat(v, 64)
		return r.IterationsPerSecond == n
	case "mem":
		n, _ := strconv.ParseInt(v, 10, 64)
		return r.MemoryKiB == n
	case "u":
		if r.Usage == nil {
			return false
		}
		f := strings.Fields(v)
		for i, p := range []*float64{r.Usage.UserSeconds, r.Usage.SystemSeconds, r.Usage.RealSeconds, r.Usage.CPUPercent} {
			want, err := strconv.ParseFloat(f[i], 64)
			if err != nil || p == nil || !near(*p, want, 0.0501) {
				return false
			}
		}
		return true
	}
	n, err := strconv.ParseFloat(value, 64)
	return err == nil && near(r.BytesPerSecond, n, max(0.5, n*1e-6))
}

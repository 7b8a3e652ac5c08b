package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRead feeds the whole reader.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		f.Add(fixture(f, name))
	}
	f.Add([]byte(twoRuns))
	f.Fuzz(func(t *testing.T, text []byte) { check(t, text) })
}

func fixture(t testing.TB, name string) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// check reads a text and looks for what no text may bring about.
func check(t *testing.T, text []byte) {
	rep, err := Read(bytes.NewReader(text), "fuzz")
	if err == nil && len(rep.Results) == 0 {
		t.Error("no results and no error")
	}
	if rep.Own != nil || rep.saved {
		return // its numbers are held to the record's rules, not to a report's
	}
	for _, r := range rep.Results {
		if why := r.wrong(); why != "" {
			t.Errorf("%s: %+v", why, r)
		}
		_ = r.Series()
	}
	Crossings(FitResults(rep.Results))
	_ = fmt.Sprint(rep.Warnings)
}

// fuzzParser feeds the lines of a text to one parser, which no other parser
// shields then, and closes the report behind them.
func fuzzParser(f *testing.F, parse func(*reader, line) verdict, fixtures ...string) {
	for _, name := range fixtures {
		f.Add(fixture(f, "testdata/"+name+".txt"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rd := newReader("fuzz")
		src := newLines(bufio.NewReader(bytes.NewReader(text)))
		var u unwrapper
		for {
			p, err := src.next()
			if err != nil {
				break
			}
			for _, l := range u.line(p, nil) {
				if l.blank || l.fence {
					continue
				}
				rd.l = l
				if parse(rd, l) == partial {
					l.text += " 1.00k 2 MiB/s"
					rd.l = l
					parse(rd, l)
				}
			}
		}
		rd.finish()
		for _, r := range rd.report.Results {
			if why := r.wrong(); why != "" {
				t.Errorf("%s: %+v", why, r)
			}
		}
	})
}

func FuzzDD(f *testing.F) {
	fuzzParser(f, (*reader).ddLine, "dd-locales", "dd-forms", "dd-progress")
}
func FuzzOpenSSLDoing(f *testing.F) {
	fuzzParser(f, (*reader).opensslDoing, "openssl-offload-table", "openssl-html")
}
func FuzzOpenSSLTable(f *testing.F) {
	fuzzParser(f, (*reader).opensslTable, "openssl-retyped", "openssl-multi", "openssl-offload-table")
}
func FuzzOpenSSLMR(f *testing.F)     { fuzzParser(f, (*reader).opensslMR, "openssl-multi") }
func FuzzOpenSSLBanner(f *testing.F) { fuzzParser(f, (*reader).opensslBanner, "openssl-multi") }
func FuzzCryptsetup(f *testing.F)    { fuzzParser(f, (*reader).cryptsetupLine, "cryptsetup-odd") }
func FuzzCryptotest(f *testing.F)    { fuzzParser(f, (*reader).cryptotestRow, "cryptotest") }
func FuzzTime(f *testing.F)          { fuzzParser(f, (*reader).timeLine, "times") }
func FuzzTcrypt(f *testing.F)        { fuzzParser(f, (*reader).tcryptLine, "tcrypt-xts") }
func FuzzFio(f *testing.F)           { fuzzParser(f, (*reader).fioLine, "disks") }
func FuzzBenchSlope(f *testing.F)    { fuzzParser(f, (*reader).benchSlope, "bench-slope") }
func FuzzGocryptfs(f *testing.F)     { fuzzParser(f, (*reader).gocryptfsLine, "libraries") }
func FuzzGoBench(f *testing.F)       { fuzzParser(f, (*reader).goBench, "libraries", "bench-slope") }
func FuzzBotan(f *testing.F)         { fuzzParser(f, (*reader).botanLine, "libraries") }
func FuzzGnuTLS(f *testing.F)        { fuzzParser(f, (*reader).gnutlsLine, "libraries") }
func FuzzCryptodev(f *testing.F)     { fuzzParser(f, (*reader).cryptodevLine, "libraries") }
func FuzzBSSL(f *testing.F)          { fuzzParser(f, (*reader).bsslLine, "libraries") }
func FuzzWolf(f *testing.F)          { fuzzParser(f, (*reader).wolfLine, "libraries-more") }
func FuzzMbedTLS(f *testing.F)       { fuzzParser(f, (*reader).mbedLine, "libraries-more") }
func FuzzRust(f *testing.F)          { fuzzParser(f, (*reader).rustBench, "libraries-more") }
func FuzzSizeRows(f *testing.F)      { fuzzParser(f, (*reader).sizeRows, "size-rows") }
func FuzzUnitRows(f *testing.F) {
	fuzzParser(f, (*reader).unitRows, "libraries-more", "cipher-columns")
}
func FuzzAesNiBenchmark(f *testing.F) { fuzzParser(f, (*reader).aesNiBench, "veracrypt") }
func FuzzDiskTools(f *testing.F)      { fuzzParser(f, (*reader).diskTool, "disks") }
func FuzzBonnie(f *testing.F)         { fuzzParser(f, (*reader).bonnie, "disks") }
func FuzzGeliList(f *testing.F)       { fuzzParser(f, (*reader).geliList, "geli-list") }
func FuzzMachine(f *testing.F)        { fuzzParser(f, (*reader).machineLine, "others-quoted", "libraries") }
func FuzzRateTable(f *testing.F)      { fuzzParser(f, (*reader).rateTable, "veracrypt") }
func FuzzHandMade(f *testing.F)       { fuzzParser(f, (*reader).handMade, "hand-made") }
func FuzzTypedTable(f *testing.F)     { fuzzParser(f, (*reader).typedTable, "truecrypt-typed") }
func FuzzCommand(f *testing.F) {
	fuzzParser(f, (*reader).commandLine, "geli-2005", "dd-forms", "openssl-multi", "cryptsetup-odd")
}

func FuzzOwnLine(f *testing.F) {
	fuzzParser(f, (*reader).ownLine, "own-openssl", "own-mr", "own-cryptsetup", "own-dd")
}
func FuzzOwnTable(f *testing.F)  { fuzzParser(f, (*reader).ownTableLine, "own-table", "own-markdown") }
func FuzzOwnMetric(f *testing.F) { fuzzParser(f, (*reader).ownMetric, "own-metrics") }
func FuzzOwnBench(f *testing.F)  { fuzzParser(f, (*reader).ownBenchLine, "own-bench") }
func FuzzOwnScreen(f *testing.F) { fuzzParser(f, (*reader).ownScreenLine, "own-screens") }

// FuzzFigures reads files of figures: what comes out can be a figure, and comes
// back the same.
func FuzzFigures(f *testing.F) {
	f.Add([]byte(`{"report_schema": 1, "reports": [{"results": [{"line": 3, "kind": "cipher", "bytes_per_second": 7e6, "repairs": [{"fix": "x", "text": "y"}]}]}]}`))
	f.Add([]byte(`{"machines_schema": 1, "figures": [{"machine": "a", "line": 3, "kind": "cipher"}]}`))
	f.Add([]byte("{\"file\":\"a\",\"line\":3,\"kind\":\"kdf\",\"usage\":{\"real_seconds\":1}}\n{\"line\":4}\n"))
	f.Add([]byte("file,line,kind,name,cipher,clear,repairs,repairs_json\na,3,disk,n,AES,true,x,\"[{\"\"fix\"\":\"\"x\"\"}]\"\nfile,line,kind,name,cipher,clear,repairs,repairs_json\n"))
	f.Add([]byte("machine,cpu,clock_mhz,threads,bytes_per_second\na,b,1795.75,all,7\n"))
	f.Add([]byte("case,base,base_label,x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rep := &Report{Name: "fuzz"}
		ok, err := readFigures(bufio.NewReader(bytes.NewReader(text)), rep)
		if !ok || err != nil {
			return
		}
		for _, r := range rep.Results {
			if r.Line < 1 || !(r.BytesPerSecond >= 0 && r.BytesPerSecond <= 1e14) {
				t.Errorf("%+v", r)
			}
			_ = r.Series()
		}
		again := &Report{Name: "fuzz"}
		var b bytes.Buffer
		j := json.NewEncoder(&b)
		for i := range rep.Results {
			if err := j.Encode(rep.Results[i]); err != nil {
				t.Fatal(err)
			}
		}
		if b.Len() == 0 {
			return
		}
		if ok, err := readFigures(bufio.NewReader(&b), again); !ok || err != nil || len(again.Results) != len(rep.Results) {
			t.Errorf("read again: %v, %v, %d figures of %d", ok, err, len(again.Results), len(rep.Results))
		}
	})
}

// FuzzUnwrap looks for lines that unwrapping makes longer than the text, or
// that it hands out under a number which the text doesn't have.
func FuzzUnwrap(f *testing.F) {
	for _, name := range []string{"geli-2005", "openssl-html", "others-quoted"} {
		f.Add(fixture(f, "testdata/"+name+".txt"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := newLines(bufio.NewReader(bytes.NewReader(text)))
		var u unwrapper
		count, size := 0, 0
		see := func(list []line) {
			for _, l := range list {
				size += len(l.text)
				if l.no < 1 || l.no > count {
					t.Errorf("line %d of %d", l.no, count)
				}
			}
		}
		for {
			p, err := src.next()
			if err != nil {
				break
			}
			count = p.no
			see(u.line(p, nil))
		}
		see(u.flush(nil))
		if size > 4*len(text)+64 { // U+FFFD is three bytes for one
			t.Errorf("%d bytes made of %d", size, len(text))
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1,489,932.59", "0,559799", "1.234,5", "12.3", "1,02", "9,,9", "1.2.3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, comma := range []bool{false, true} {
			n, ok := number(s, comma)
			if ok && (n.v < 0 || math.IsNaN(n.v) || math.IsInf(n.v, 0) || n.half <= 0) {
				t.Errorf("%q is %+v", s, n)
			}
		}
	})
}

func FuzzAlgorithm(f *testing.F) {
	for _, s := range []string{"aes-256 cbc", "authenc(hmac(sha1),cbc(aes))", "xchacha12,aes-adiantum", "AEAD-AES-128-GCM", "AES-256/XTS", "rc5-32/12 cbc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a, ok := parseAlg(s); ok && a.cipher == "" {
			t.Errorf("%q: an algorithm without a name", s)
		}
		mentioned(strings.ToValidUTF8(s, ""))
	})
}

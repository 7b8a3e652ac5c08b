package report

import (
	"regexp"
	"strconv"
	"strings"
)

// cryptsetupState is the table of cryptsetup benchmark at hand.
type cryptsetupState struct {
	rates     int  // rate columns of the header; 0: no header yet
	unit      bool // the header gives the unit
	direction Direction
	name      string // of the last row, for rows that leave it out
	bits      int
	lines     int // since the last row
}

var (
	pbkdf      = regexp.MustCompile(`^(PBKDF2-[\w-]+) +(\d+) iterations per second`)
	argon      = regexp.MustCompile(`^(argon2id?|argon2d) +(\d+) iterations, (\d+) memory, (\d+) parallel threads`)
	keyCell    = regexp.MustCompile(`^(\d{2,4})b$`)
	linaroHash = regexp.MustCompile(`TEST_CASE_ID=cryptsetup-benchmark-([a-z0-9]+) RESULT=pass MEASUREMENT=(\d+) UNITS=iter/s>`)
	linaro     = regexp.MustCompile(`TEST_CASE_ID=cryptsetup-benchmark-([a-z0-9]+-[a-z0-9]+)_(\d+)-(encryption|decryption) RESULT=pass MEASUREMENT=(\d+(?:\.\d+)?) UNITS=(\S+?)>`)
)

// cryptsetupLine reads the output of cryptsetup benchmark.
func (rd *reader) cryptsetupLine(l line) verdict {
	s := l.text
	switch {
	case strings.HasPrefix(s, "PBKDF2-"):
		m := pbkdf.FindStringSubmatch(s)
		if m == nil {
			if strings.HasSuffix(s, "N/A") {
				return yes
			}
			return partial
		}
		n, _ := strconv.ParseFloat(m[2], 64)
		rd.emit(Result{Kind: KDF, Tool: "cryptsetup benchmark", Name: m[1], IterationsPerSecond: n, AsPrinted: m[2] + " iterations per second", Threads: 1})
		return yes
	case strings.HasPrefix(s, "argon2"):
		m := argon.FindStringSubmatch(s)
		if m == nil {
			if strings.Contains(s, "iterations") && !strings.Contains(s, "threads") {
				return partial
			}
			return no
		}
		r := Result{Kind: KDF, Tool: "cryptsetup benchmark", Name: m[1], AsPrinted: m[2] + " iterations, " + m[3] + " memory, " + m[4] + " threads"}
		r.Iterations, _ = strconv.ParseInt(m[2], 10, 64)
		r.MemoryKiB, _ = strconv.ParseInt(m[3], 10, 64)
		r.Threads, _ = strconv.Atoi(m[4])
		rd.emit(r)
		return yes
	case strings.Contains(s, "TEST_CASE_ID=cryptsetup-benchmark"):
		return rd.linaroCase(s)
	case strings.Contains(s, "lgorithm") && strings.Contains(s, "Key"):
		return rd.cryptsetupHeader(s)
	}
	return rd.cryptsetupRow(l)
}

func (rd *reader) cryptsetupHeader(s string) verdict {
	enc, dec := strings.Contains(s, "Encryption"), strings.Contains(s, "Decryption")
	if !enc && !dec {
		if strings.Contains(s, "|") {
			return partial
		}
		return no
	}
	st := &rd.crypt
	*st = cryptsetupState{rates: 2, unit: strings.Contains(s, "MiB/s")}
	switch {
	case enc && !dec:
		st.rates, st.direction = 1, Encrypt
	case dec && !enc:
		st.rates, st.direction = 1, Decrypt
	}
	return yes
}

// cryptsetupRow reads "aes-xts 512b 175.0 MiB/s 175.0 MiB/s".
func (rd *reader) cryptsetupRow(l line) verdict {
	s := l.text
	st := &rd.crypt
	if st.lines++; len(s) > 300 {
		return no
	}
	f := strings.Fields(strings.ReplaceAll(s, "|", " "))
	name, bits := "", 0
	for i := 0; i+1 < len(f) && i < 3; i++ {
		if m := keyCell.FindStringSubmatch(f[i+1]); m != nil {
			name = f[i]
			bits, _ = strconv.Atoi(m[1])
			if i > 0 && !strings.ContainsAny(f[i], "-") {
				name = "" // "AES 256b" is no cryptsetup row
			}
			f = f[i+2:]
			break
		}
	}
	if name == "" {
		// A row that leaves out what is as in the row above.
		if st.name == "" || st.lines > 1 || len(f) < 4 || f[1] != "MiB/s" || f[3] != "MiB/s" {
			return no
		}
		name, bits = st.name, st.bits
	}
	alg, ok := parseAlg(name)
	if !ok || alg.mode == "" {
		if _, c, found := strings.Cut(name, "-"); !found || c == "" {
			return no
		}
		alg = algorithm{} // a cascade or a cipher we don't know: keep its name
	}
	want := st.rates
	if want == 0 {
		want = 2
	}
	if want == 1 && strings.Count(s, "MiB/s") == 2 {
		want = 2 // the header lost its second column
	}
	if alg.mode == "XTS" && bits != 256 && bits != 384 && bits != 512 || bits > 1024 {
		return rd.broken("a key length that the cipher doesn't have")
	}
	var rates []string
	i := 0
	for i < len(f) && len(rates) < want {
		switch {
		case f[i] == "N/A":
			rates = append(rates, "")
			i++
		case i+1 < len(f) && isMiB(f[i+1]):
			rates = append(rates, f[i])
			i += 2
		default:
			if n, u := splitUnit(f[i]); n != "" && (isMiB(u) || u == "" && st.unit) {
				rates = append(rates, n)
				i++
				continue
			}
			if i+1 == len(f) {
				return partial
			}
			return rd.broken("a row of cryptsetup benchmark that can't be read")
		}
	}
	if len(rates) < want {
		return partial
	}
	st.name, st.bits, st.lines = name, bits, 0
	variant := strings.Join(f[i:], " ")
	if len(variant) > 40 {
		variant = ""
	}
	for j, text := range rates {
		if text == "" {
			continue
		}
		v, ok := number(text, true)
		if !ok || v.v <= 0 {
			return rd.broken("a rate that can't be read")
		}
		dir := st.direction
		if want == 2 {
			dir = []Direction{Encrypt, Decrypt}[j]
		}
		rd.emit(rd.cryptsetupResult(name, alg, bits, dir, v, text+" MiB/s", variant))
	}
	return yes
}

func isMiB(s string) bool {
	switch strings.TrimRight(s, ",;.") {
	case "MiB/s", "MiB/sec", "Mib/s", "MiB/c", "МиБ/с", "Mio/s":
		return true
	}
	return false
}

// cryptsetupResult makes a result; the tool's keys are both halves for XTS.
func (rd *reader) cryptsetupResult(name string, alg algorithm, bits int, dir Direction, v figure, printed, variant string) Result {
	r := Result{Kind: Cipher, Tool: "cryptsetup benchmark", Name: name, Direction: dir, Threads: 1, Clock: Wall, AsPrinted: printed, Variant: variant}
	alg.to(&r)
	r.KeyBits = bits
	if alg.mode == "XTS" {
		r.KeyBits = bits / 2
		r.fix(HalfKey, strconv.Itoa(bits)+"b are both halves of the key")
	}
	r.BytesPerSecond = v.v * (1 << 20)
	r.Repairs = append(r.Repairs, Repair{Fix: OneMiBTooMany,
		Text:    "the tool counts one repetition too many: about 1 MiB/s less is truer",
		Offered: max(0, (v.v-1)*(1<<20))})
	if f := strings.Fields(variant); len(f) > 0 && rd.at(rd.l).command != "" {
		r.Engine = f[0]
		if _, err := strconv.ParseFloat(f[0], 64); err == nil {
			r.Engine = ""
		}
	}
	return r
}

// linaroCase reads the form into which Linaro's test suite converts a row.
func (rd *reader) linaroCase(s string) verdict {
	if m := linaroHash.FindStringSubmatch(s); m != nil {
		n, _ := strconv.ParseFloat(m[2], 64)
		rd.emit(Result{Kind: KDF, Tool: "cryptsetup benchmark", Name: "PBKDF2-" + m[1], IterationsPerSecond: n, AsPrinted: m[2] + " iter/s", Threads: 1})
		return yes
	}
	all := linaro.FindAllStringSubmatch(s, 256)
	if len(all) == 0 {
		if strings.Contains(s, "MEASUREMENT=") {
			return rd.broken("a test case that can't be read")
		}
		return yes // it only says that it passed, or not
	}
	for _, m := range all {
		alg, ok := parseAlg(m[1])
		v, ok2 := number(m[4], false)
		scale, _, ok3 := rateUnit(m[5])
		if !ok || !ok2 || !ok3 || v.v <= 0 {
			rd.broken("a test case that can't be read")
			continue
		}
		bits, _ := strconv.Atoi(m[2])
		dir := Encrypt
		if m[3] == "decryption" {
			dir = Decrypt
		}
		rd.emit(rd.cryptsetupResult(m[1], alg, bits, dir, v.times(scale/(1<<20)), m[4]+" "+m[5], ""))
	}
	return yes
}

// cryptsetupCommand takes "cryptsetup benchmark -c …" and the commands that set
// up a /dev/mapper device.
func (rd *reader) cryptsetupCommand(l line, args, text string) verdict {
	rd.remarked(l)
	c := rd.at(l)
	c.newCommand(text)
	f := strings.Fields(args)
	for i, w := range f {
		if strings.TrimRight(w, ":.,;") == "benchmark" {
			c.command = strings.TrimRight(c.command, ":.,;")
			if i+1 < len(f) && strings.IndexByte("-|>&;2<#$", f[i+1][0]) < 0 { // a sentence goes on
				c.command = "cryptsetup benchmark"
			}
			rd.crypt = cryptsetupState{}
			rd.cryptsetupRecipe(l, f, text)
			return yes
		}
	}
	g := geliConf{line: l.no}
	for i, w := range f {
		flag, v, glued := strings.Cut(w, "=")
		if !glued && i+1 < len(f) {
			v = f[i+1]
		}
		switch flag {
		case "-c", "--cipher":
			if a, ok := parseAlg(v); ok {
				g.alg.cipher, g.alg.mode = a.cipher, a.mode
			}
		case "-s", "--key-size":
			g.alg.keyBits, _ = strconv.Atoi(v)
		case "--sector-size":
			g.sector, _ = expand(v)
		}
	}
	if g.alg.cipher != "" {
		if g.alg.mode == "XTS" {
			g.alg.keyBits /= 2
		}
		c.dm = &g
	}
	return yes
}

package report

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// trust orders statements of the processor, the strongest last.
type trust int

const (
	trustNone   trust = iota
	trustProse        // a sentence or a heading
	trustHeader       // a tool's own header that names the board
	trustTool         // gocryptfs and go test print the processor
	trustKernel       // dmesg, /proc/cpuinfo, lscpu, sysctl
)

var (
	dmesgCPU   = regexp.MustCompile(`\bCPU: (\S.*?) \((\d+(?:\.\d+)?)-MHz [^()]*-class`)
	openbsdCPU = regexp.MustCompile(`^cpu0(?: at \S+)?: (.*?(?:Intel|AMD|VIA|Cortex|ARM|SiFive|Apple|Loongson)[^,]*?)(?:, (\d+(?:\.\d+)?) MHz.*)?(?:,.*)?$`)
	cpuinfo    = regexp.MustCompile(`^(?:model name|Model name|cpu model|hw\.model|machdep\.cpu\.brand_string|Model Name|Processor Name|Chip|Processor|cpu\t+)\s*[:=]\s*(\S.*)$`)
	cpuPart    = regexp.MustCompile(`^CPU (part|implementer)\s*:\s*(0x[0-9a-f]{2,3})\b`)
	cpuMax     = regexp.MustCompile(`^CPU max MHz:\s+(\d+)[.,](\d+)`)
	sbcHead    = regexp.MustCompile(`^sbc-bench v?([\d.]+)\s+(.*?)(?: \([A-Z][a-z]{2}, .*)?$`)
	hertz      = regexp.MustCompile(`(?i)(\d+(?:[.,]\d+)?) ?-?([MG])hz\b`)
	unhelpful  = regexp.MustCompile(`(?i)^(armv\d|aarch64|unknown|mips$|rv64|processor|genuine ?intel|qemu virtual|common kvm|virtual|amd64|x86_64|i386|(?:i|power ?)?mac)`)
)

// arm are the cores behind "CPU part" of /proc/cpuinfo, implementer 0x41. Those
// of others have the implementer before them.
var arm = map[string]string{
	"0xb76": "ARM1176", "0xc05": "Cortex-A5", "0xc07": "Cortex-A7", "0xc08": "Cortex-A8", "0xc09": "Cortex-A9", "0xc0d": "Cortex-A17", "0xc0e": "Cortex-A17", "0xc0f": "Cortex-A15",
	"0xd01": "Cortex-A32", "0xd02": "Cortex-A34", "0xd03": "Cortex-A53", "0xd04": "Cortex-A35", "0xd05": "Cortex-A55", "0xd06": "Cortex-A65", "0xd07": "Cortex-A57", "0xd08": "Cortex-A72",
	"0xd09": "Cortex-A73", "0xd0a": "Cortex-A75", "0xd0b": "Cortex-A76", "0xd0c": "Neoverse-N1", "0xd0d": "Cortex-A77", "0xd0e": "Cortex-A76AE", "0xd40": "Neoverse-V1", "0xd41": "Cortex-A78",
	"0xd42": "Cortex-A78AE", "0xd44": "Cortex-X1", "0xd46": "Cortex-A510", "0xd47": "Cortex-A710", "0xd48": "Cortex-X2", "0xd49": "Neoverse-N2", "0xd4d": "Cortex-A715", "0xd4e": "Cortex-X3", "0xd4f": "Neoverse-V2", "0xd80": "Cortex-A520", "0xd81": "Cortex-A720",
	"0xd4b": "Cortex-A78C", "0xd4c": "Cortex-X1C", "0xd82": "Cortex-X4", "0xd84": "Neoverse-V3", "0xd85": "Cortex-X925", "0xd87": "Cortex-A725", "0xd8e": "Neoverse-N3",
	"0x48 0xd01": "TaiShan v110", "0x48 0xd02": "TaiShan v120",
}

// machineLine reads a line in which a kernel or a tool states the processor.
func (rd *reader) machineLine(l line) verdict {
	s := l.text
	switch {
	case strings.Contains(s, "CPU: "):
		c := rd.at(l)
		if m := dmesgCPU.FindStringSubmatch(s); m != nil {
			mhz, _ := strconv.ParseFloat(m[2], 64)
			c.setCPU(rd, l, Machine{Model: tidy(m[1]), MHz: mhz, Source: "dmesg"}, trustKernel)
			return yes
		}
		if strings.HasPrefix(s, "CPU: ") && looksLikeCPU(s) {
			c.setCPU(rd, l, modelOf(s[5:], "dmesg"), trustKernel)
			return yes
		}
	case strings.HasPrefix(s, "cpu0"):
		c := rd.at(l)
		if m := openbsdCPU.FindStringSubmatch(s); m != nil {
			mc := modelOf(m[1], "dmesg")
			if mhz, err := strconv.ParseFloat(m[2], 64); err == nil {
				mc.MHz = mhz
			}
			c.setCPU(rd, l, mc, trustKernel)
			return yes
		}
	case strings.HasPrefix(s, "sbc-bench v"):
		if m := sbcHead.FindStringSubmatch(s); m != nil {
			c := rd.at(l)
			rd.section++
			rd.ssl.newSection(rd)
			*c = context{commands: c.commands + 1}
			c.command = ""
			if strings.HasPrefix(m[2], "-- ") {
				m[2] = "" // before 0.5 only the date stood there
			}
			mc := modelOf(m[2], "sbc-bench")
			mc.Board, mc.Model = tidy(m[2]), ""
			if board, model, ok := strings.Cut(m[2], " / "); ok {
				mc.Board, mc.Model = tidy(board), tidy(model)
			} else if looksLikeCPU(m[2]) && !strings.Contains(m[2], "Raspberry") {
				mc.Board, mc.Model = "", tidy(m[2])
			}
			c.setCPU(rd, l, mc, trustHeader)
			rd.ssl.sbc = true
			return yes
		}
	case strings.HasPrefix(s, "cpu: "):
		name, _, _ := strings.Cut(s[5:], "; with")
		c := rd.at(l)
		if name = strings.TrimSpace(name); name != "" && !unhelpful.MatchString(name) {
			c.setCPU(rd, l, modelOf(name, "tool"), trustTool)
		} else if c.cpuTrust == trustTool {
			c.cpu, c.cpuTrust = Machine{}, trustNone // the run before it was another machine's
		}
		return yes
	case strings.HasPrefix(s, "CPU part"), strings.HasPrefix(s, "CPU implementer"):
		m := cpuPart.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		c := rd.at(l)
		if m[1] == "implementer" {
			if c.maker = ""; m[2] != "0x41" {
				c.maker = m[2] + " "
			}
			return yes
		}
		if core := arm[c.maker+m[2]]; core != "" {
			c.setCPU(rd, l, Machine{Core: core, Source: "cpuinfo"}, trustKernel)
		}
		return yes
	case strings.HasPrefix(s, "CPU max MHz"):
		if m := cpuMax.FindStringSubmatch(s); m != nil {
			mhz, _ := strconv.ParseFloat(m[1]+"."+m[2], 64)
			rd.clockStated(rd.at(l), mhz)
			return yes
		}
	case strings.HasPrefix(s, "Processor Speed:"): // of a Mac
		rd.clockStated(rd.at(l), modelOf(s, "").MHz)
		return yes
	case strings.HasPrefix(s, "BIOS Model name"), strings.HasPrefix(s, "CPU MHz"), strings.HasPrefix(s, "cpu MHz"):
		return yes // another spelling of what is known; a momentary clock
	case len(s) < 8 || strings.IndexByte("mMhcCP", s[0]) < 0 || !strings.ContainsAny(s[:min(30, len(s))], ":="):
		return no
	default:
		m := cpuinfo.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		name, _, _ := strings.Cut(tidy(m[1]), ", altivec")
		if unhelpful.MatchString(name) || !strings.ContainsFunc(name, unicode.IsLetter) {
			return yes
		}
		rd.modelName(rd.at(l), l, modelOf(name, "cpuinfo"))
		return yes
	}
	return no
}

// modelName takes a line of /proc/cpuinfo or lscpu. In a report of sbc-bench it
// stands behind the figures of its section.
func (rd *reader) modelName(c *context, l line, m Machine) {
	if !rd.ssl.sbc {
		if c.cpuTrust == trustKernel && c.cpu.Model == m.Model {
			return // one line for each core
		}
		c.setCPU(rd, l, m, trustKernel)
		return
	}
	rd.ssl.sbcEnd = true
	for i := range rd.report.Results {
		r := &rd.report.Results[i]
		if rd.meta[i].section != rd.section {
			continue
		}
		switch {
		case r.CPU.Core != "" && strings.HasPrefix(m.Model, "Cortex"):
			// The row says which of the cores it is.
		case r.CPU.Source == "sbc-bench" || r.CPU.Model == "":
			m.Board, m.Core = r.CPU.Board, r.CPU.Core
			r.CPU = m
		}
	}
	// What follows without a header of its own is another machine.
	c.cpu, c.cpuTrust = Machine{}, trustNone
}

// clockStated takes lscpu's greatest clock.
func (rd *reader) clockStated(c *context, mhz float64) {
	if c.cpu.Known() && c.cpu.MHz == 0 {
		c.cpu.MHz = mhz
	}
	if !rd.ssl.sbc {
		return
	}
	for i := range rd.report.Results {
		if r := &rd.report.Results[i]; rd.meta[i].section == rd.section && r.CPU.Known() && r.CPU.MHz == 0 && r.CPU.Core == "" {
			r.CPU.MHz = mhz
		}
	}
}

// setCPU takes a statement unless a stronger one stands.
func (c *context) setCPU(rd *reader, l line, m Machine, t trust) {
	if !m.Known() {
		return
	}
	if t < c.cpuTrust && t < trustTool {
		return
	}
	if m.MHz == 0 && c.cpu.Model == m.Model {
		m.MHz = c.cpu.MHz
	}
	c.cpu, c.cpuTrust, c.cpuAt, c.cpuUsed = m, t, l.no, false
}

// modelOf makes a machine of a model name, with the clock that stands in it.
func modelOf(s, source string) Machine {
	m := Machine{Model: tidy(s), Source: source}
	if h := hertz.FindStringSubmatch(s); h != nil {
		if v, err := strconv.ParseFloat(strings.Replace(h[1], ",", ".", 1), 64); err == nil {
			if h[2] == "G" || h[2] == "g" {
				v *= 1000
			}
			m.MHz = v
		}
	}
	return m
}

var blanks = regexp.MustCompile(`\s+`)

func tidy(s string) string { return strings.Trim(blanks.ReplaceAllString(s, " "), " ,;:-*`") }

// names are processors and boards as people write them.
var names = regexp.MustCompile(`(?i)\b(` +
	`Intel(?:\(R\))? (?:(?:Core|Xeon|Atom|Celeron|Pentium)(?:\((?:R|TM)\))?[- ]?)+(?: ?(?:[A-Z]{1,2}[0-9]|[im][3579]\b|Ultra|Duo|Quad|Gold|Silver|Platinum|II+|M|Pro|D|4|CPU|[0-9])[\w.-]*)*|` +
	`Intel(?:\(R\))? N\d{2,3}\b|` +
	`(?:Core[ -])?i[3579]-\d{3,5}\w*|(?:Xeon|Celeron|Atom) [A-Z]\w*[- ]?\d{3,5}\w*(?: v\d)?|Pentium (?:\d\b|II+|Pro|M|[A-Z]\d{3,4})|` +
	`Core ?2 (?:Duo|Quad)(?: \w?\d{4})?|Core2 (?:Duo|Quad)? ?[QETP]?\d{4}|` +
	`AMD (?:Ryzen|EPYC|Opteron|Athlon|Phenom|Sempron|Turion|FX|Geode|A\d|G-?T?\w+|E-?\d+)(?:[ -](?:\d\b|AI|Max\+?|PRO|Threadripper|Embedded|X\d|II|64|Neo|LX|A\d{4}|[A-Z]*\d{2,5}\w*))*|` +
	`Ryzen (?:\d(?: PRO)? )?\d{4}\w*|(?:Ryzen )?Threadripper(?: PRO)? \d{4}\w*|EPYC \d{4}\w*|FX-\d{4}|` +
	`Intel (?:Nehalem|Westmere|Sandy ?Bridge|Ivy ?Bridge|Haswell|Broadwell|Skylake|Kaby ?Lake|Coffee ?Lake|Comet ?Lake|Cascade ?Lake|Ice ?Lake|Tiger ?Lake|Rocket ?Lake|Alder ?Lake|Raptor ?Lake|Sapphire ?Rapids|Emerald ?Rapids|Granite ?Rapids)(?:-[A-Z]{1,2}\b)?|` +
	`(?:AMD )?Zen ?[1-5]\+?|(?:IBM )?z1[3-7]\b|(?:T-Head )?Yitian[- ]?\d+|` +
	`VIA (?:C3|C7|Nano|Esther|Nehemiah|Eden|Samuel|EPIA)[\w-]*|Tualatin|Esther|Nehemiah|` +
	`(?:ARM )?Cortex-[AMRX]\d+\w*|Neoverse[ -][NVE]\d|(?:AWS )?Graviton ?\d|Ampere \w+|Apple M\d(?: (?:Pro|Max|Ultra))?|Snapdragon \w+|Kunpeng[ -]?\d+|ThunderX\d?|` +
	`Raspberry ?Pi ?(?:Zero(?: 2)?(?: W)?|CM\d|[1-5](?: ?Model)?(?: ?[AB]\+?)?\b|400|500)?(?: Rev [\d.]+)?|RPi ?[1-5]\w?|pi ?[2-5]b?\b|` +
	`RK3\d{3}\w?|S9\d{2}\w\d?|BCM\d{4}\w*|MT\d{4}\w*|AM\d{3,4}x?|IPQ\d{4}|H\d{3} SoC|OMAP ?\d{3,4}|` +
	`POWER ?\d\+?|Loongson[ -]\w+|SpacemiT \w+|Freescale \w+|` +
	`Motoroll?a 68\d{3}|Pentium Pro|Cyrix \w+|UltraSPARC\w*(?: \w+)?` +
	`)`)

// looksLikeCPU tells whether a text names a processor or a board.
func looksLikeCPU(s string) bool { return names.MatchString(s) }

// cpuInProse takes a processor from a sentence or a heading. It tells whether
// there was one.
func (c *context) cpuInProse(rd *reader, l line) bool {
	s := l.text
	if len(s) > 1000 || len(s) < 4 || strings.Contains(s, "GNU/Linux") && !strings.Contains(s, "Hz") {
		return false
	}
	all := names.FindAllStringIndex(s, 3)
	if len(all) == 0 || len(all) > 2 {
		return false // several processors: a comparison, not a statement
	}
	at := all[0]
	m := Machine{Model: strings.TrimRight(tidy(s[at[0]:at[1]]), "."), Source: "prose"}
	if len(all) == 2 {
		// "Raspberry Pi CM4 (BCM2711)" is one machine, two processors are not.
		if all[1][0]-all[0][1] > 3 {
			return false
		}
		m.Model = tidy(s[all[0][0]:all[1][1]]) + ")"
		if !strings.Contains(m.Model, "(") {
			m.Model = strings.TrimSuffix(m.Model, ")")
		}
		at = []int{all[0][0], all[1][1]}
	}
	if hz := hertz.FindAllStringSubmatchIndex(s, 4); len(hz) > 0 {
		best := -1
		for i, h := range hz {
			if d := max(h[0]-at[1], at[0]-h[1]); d >= -40 && d < 24 && (best < 0 || i == best) {
				best = i
			}
		}
		if best >= 0 {
			v, err := strconv.ParseFloat(strings.Replace(s[hz[best][2]:hz[best][3]], ",", ".", 1), 64)
			if err == nil {
				if u := s[hz[best][4]]; u == 'G' || u == 'g' {
					v *= 1000
				}
				m.MHz = v
			}
		}
	}
	if p := dmesgClass.FindStringSubmatch(s); p != nil {
		m.MHz, _ = strconv.ParseFloat(p[1], 64)
	}
	if c.cpuUsed && at[0] == 0 && nameAlone.MatchString(s[at[1]:]) {
		c.cpuTrust = trustNone // what a kernel said before was said of the figures before
	}
	// A bare family name without a clock is no statement inside a sentence.
	if m.MHz == 0 && !l.heavy && len(s) > 100 && !ownMachine.MatchString(s) {
		return false
	}
	c.setCPU(rd, l, m, trustProse)
	return true
}

// nameAlone is what follows a processor's name that has a line to itself.
var nameAlone = regexp.MustCompile(`^(?: CPU)? @ ?\d+(?:\.\d+)? ?[GM]Hz$`)

var ownMachine = regexp.MustCompile(`(?i)\b(?:my|our|this) (?:[\w-]+ ){0,2}(?:computer|machine|box|laptop|notebook|pc|server|system|nas|desktop|router|board|workstation)\b`)

var dmesgClass = regexp.MustCompile(`\((\d+(?:\.\d+)?)-MHz `)

// dmesgNoise skips kernel messages that no parser may look at: drivers with
// rates in their names, feature lists.
func (rd *reader) dmesgNoise(l line) verdict {
	s := l.text
	for _, p := range []string{"Features", "flags", "Flags: ", "AMD Features", "BogoMIPS", "bogomips", "Timecounter ", "Event timer", "compiler:", "C flags:", "options:", "built on:", "CPUINFO:", "platform:", "engines:", "Standard Extended"} {
		if strings.HasPrefix(s, p) && !(p == "Flags: " && len(s) < 60) {
			return yes
		}
	}
	return no
}

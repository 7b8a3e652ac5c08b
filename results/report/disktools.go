package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// diskState is what the disk tools have said before their rows.
type diskState struct {
	device string // "/dev/sda:" of hdparm, first line of diskinfo
	word   string // the line before, where it is a single word

	bonnie  bool // inside bonnie++'s table
	bonnieK bool // its numbers are K/sec
	version string
	crystal string // CrystalDiskMark's version
}

var (
	diskinfoRow = regexp.MustCompile(`^(outside|middle|inside): +(\d+) kbytes in +([\d.]+) s(?:ec)? = +([\d.]+) ?(kbytes/sec|kB/s|MB/sec|MB/s|GB/sec)`)
	diskinfoBad = regexp.MustCompile(`^(outside|middle|inside): +\d+ kbytes in`)
	hdparmRow   = regexp.MustCompile(`Timing (?:O_DIRECT |buffered )disk reads: +([\d.]+) ([kMG]B) in +([\d.]+) seconds? *= *([\d.]+) ?([kMG]B/sec)`)
	oneWord     = regexp.MustCompile(`^[a-z][\w./-]*$`)
	deviceHead  = regexp.MustCompile(`^(/dev/[\w./-]+)(?::| *$)`)
	crystalRow  = regexp.MustCompile(`^(SEQ|RND|Sequential|Random)?((?: ?(?:Read|Write|\d+[KM]i?B))*)(?: ?\(?(?:Q= *(\d+)[T,]? ?T?=? *(\d+)|QD= *\d+|T= *(\d+)|Q(\d+)T(\d+))\)?)? *: +([\d.]+) MB/s(?: +\[ *([\d.]+) IOPS)?`)
	crystalHead = regexp.MustCompile(`^CrystalDiskMark (\d[\d.]*)`)
	crystalSize = regexp.MustCompile(`(\d+)([KM])i?B`)
	pvRow       = regexp.MustCompile(`(?:^|\s)([\d.]+)([kKMGT]i?B) (\d+:\d\d:\d\d) \[ *([\d.]+)([kKMGT]?i?B/s)\]`)
	scpRow      = regexp.MustCompile(`\b100% +(\d+(?:\.\d+)?)([KMG]B) +([\d.]+)([KMG]B/s) +(\d\d:\d\d)`)
	bonnieHead  = regexp.MustCompile(`^Version +([\d.]+[a-z]?)\b`)
)

// diskTool reads diskinfo -t, hdparm -t, CrystalDiskMark, pv and scp.
func (rd *reader) diskTool(l line) verdict {
	s := l.text
	if len(s) > 400 {
		return no
	}
	before := rd.disk.word
	rd.disk.word = oneWord.FindString(s)
	switch {
	case strings.HasSuffix(s, "# sectorsize") && before != "":
		rd.disk.device = before // "ada0": without /dev/ no line could tell it
		return yes
	case strings.HasPrefix(s, "/dev/"):
		if m := deviceHead.FindStringSubmatch(s); m != nil {
			rd.disk.device = m[1]
			return yes
		}
	case strings.Contains(s, "kbytes in"):
		return rd.diskinfo(s)
	case strings.Contains(s, "Timing "):
		if strings.Contains(s, "cached reads") || strings.Contains(s, "buffer-cache reads") {
			return yes // memory, not the disk
		}
		m := hdparmRow.FindStringSubmatch(s)
		if m == nil {
			if strings.Contains(s, "disk reads:") {
				return partial
			}
			return no
		}
		v, ok := number(m[4], true)
		sec, ok2 := number(m[3], true)
		amount, ok3 := number(m[1], true)
		scale, _, ok4 := rateUnit(m[5])
		if !ok || !ok2 || !ok3 || !ok4 || v.v <= 0 {
			return rd.broken("a line of hdparm that can't be read")
		}
		bin := binaryScale(scale)
		r := Result{Kind: Disk, Tool: "hdparm", Direction: Reading, Device: rd.disk.device, Clock: Wall, BytesPerSecond: v.v * bin, AsPrinted: m[4] + " " + m[5], Seconds: sec.v}
		if sc, _, ok := byteUnit(m[2]); ok {
			r.Bytes = int64(amount.v * binaryScale(sc))
		}
		r.fix(BinaryUnit, "hdparm's MB are 2^20 bytes")
		rd.emit(r)
		return yes
	case strings.HasPrefix(s, "CrystalDiskMark "):
		if m := crystalHead.FindStringSubmatch(s); m != nil {
			rd.disk.crystal = m[1]
			return yes
		}
	case strings.Contains(s, " MB/s") && crystalBegin(s):
		return rd.crystal(s)
	case strings.Contains(s, "B/s]"):
		m := pvRow.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		return rd.pv(s, m)
	case strings.Contains(s, "100% "):
		m := scpRow.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		v, ok := number(m[3], false)
		scale, _, ok2 := rateUnit(m[4])
		if !ok || !ok2 || v.v <= 0 {
			return no
		}
		r := Result{Kind: Other, Tool: "scp", Clock: Wall, BytesPerSecond: v.v * binaryScale(scale), AsPrinted: m[3] + m[4]}
		r.fix(BinaryUnit, "scp's MB are 2^20 bytes")
		r.fix(NotACipher, "a network copy: neither a disk nor a cipher")
		rd.emit(r)
		return yes
	case strings.Contains(s, "%") || strings.Contains(s, "++"):
		return no
	}
	return no
}

// diskinfo takes a transfer rate of diskinfo -t; its kbytes are 1024.
func (rd *reader) diskinfo(s string) verdict {
	m := diskinfoRow.FindStringSubmatch(s)
	if m == nil {
		if diskinfoBad.MatchString(s) {
			return partial
		}
		return no
	}
	kb, ok := integer(m[2])
	sec, ok2 := number(m[3], false)
	v, ok3 := number(m[4], false)
	if !ok || !ok2 || !ok3 || sec.v <= 0 || v.v <= 0 || kb > 1<<50 {
		return rd.broken("a line of diskinfo that can't be read")
	}
	scale := 1024.0
	if strings.HasPrefix(m[5], "M") {
		scale = 1 << 20
	} else if strings.HasPrefix(m[5], "G") {
		scale = 1 << 30
	}
	rate := over(figure{float64(kb) * 1024, 0}, sec)
	if math.Abs(rate.v-v.v*scale) > 0.06*rate.v {
		return rd.broken("a line of diskinfo whose numbers don't fit each other")
	}
	r := Result{Kind: Disk, Tool: "diskinfo", Variant: m[1], Direction: Reading, Device: rd.disk.device, Clock: Wall, Seconds: sec.v, Bytes: kb * 1024,
		BytesPerSecond: exact(rate, v.times(scale)).v, AsPrinted: m[4] + " " + m[5]}
	r.fix(BinaryUnit, "diskinfo's kbytes are 1024 bytes")
	rd.emit(r)
	return yes
}

// crystalBegin tells whether a line begins as a row of CrystalDiskMark may.
func crystalBegin(s string) bool {
	s = strings.TrimLeft(s, " \t,;:-*`")
	for _, word := range []string{"SEQ", "RND", "Sequential", "Random"} {
		if strings.HasPrefix(s, word) {
			return true
		}
	}
	rest := strings.TrimLeft(s, "0123456789")
	return len(rest) < len(s) && rest != "" && (rest[0] == 'K' || rest[0] == 'M')
}

// crystal takes a row of CrystalDiskMark; its MB are 10^6.
func (rd *reader) crystal(s string) verdict {
	s = tidy(s)
	m := crystalRow.FindStringSubmatch(s)
	if m == nil {
		return no
	}
	size := crystalSize.FindStringSubmatch(m[2])
	if m[1] == "" && size == nil {
		return no
	}
	v, ok := number(m[8], false)
	if !ok || v.v <= 0 {
		return no
	}
	c := rd.at(rd.l)
	r := Result{Kind: Disk, Tool: "CrystalDiskMark", Version: rd.disk.crystal, Name: strings.TrimSpace(s[:strings.IndexByte(s, ':')]), Clock: Wall,
		BytesPerSecond: v.v * 1e6, AsPrinted: m[8] + " MB/s", Direction: c.direction}
	if size != nil {
		if n, ok := integer(size[1]); ok && n < 1<<20 {
			r.BlockBytes = n << map[string]uint{"K": 10, "M": 20}[size[2]]
		}
	}
	switch {
	case strings.Contains(m[2], "Read"):
		r.Direction = Reading
	case strings.Contains(m[2], "Write"):
		r.Direction = Writing
	}
	r.Threads, _ = strconv.Atoi(m[4] + m[5] + m[7])
	switch {
	case c.labelNone:
		r.Cipher = "none"
	case c.labelAlg != nil:
		c.labelAlg.to(&r)
	}
	rd.emit(r)
	return yes
}

// pv takes a line of pv. Its rate is the newest one while it runs and the mean
// at the end; before 1.8 its MB are binary although it says so only by an i.
func (rd *reader) pv(s string, m []string) verdict {
	v, ok := number(m[4], true)
	scale, isBin, ok2 := rateUnit(m[5])
	amount, ok3 := number(m[1], true)
	sc, _, ok4 := byteUnit(m[2])
	if !ok || !ok2 || !ok3 || !ok4 || v.v <= 0 {
		return no
	}
	r := Result{Kind: Disk, Tool: "pv", Clock: Wall, BytesPerSecond: v.v * scale, AsPrinted: m[4] + m[5]}
	if !isBin {
		r.BytesPerSecond = v.v * binaryScale(scale)
		r.fix(BinaryUnit, "pv's units are binary")
	}
	if strings.Contains(s, "% ETA ") && !strings.Contains(s, " 100% ") {
		r.fix(Unfinished, "a line that pv overwrote while it ran")
	}
	if t := clockTime(m[3]); t != nil && *t > 0 && math.Abs(amount.v*sc / *t - r.BytesPerSecond) < 0.1*r.BytesPerSecond {
		r.Seconds, r.Bytes = *t, int64(amount.v*sc) // else it is the rate of a moment
	}
	rd.emit(r)
	return yes
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Key schedules (FIPS 197, section 5.2). AESKEYGENASSIST is microcode on many
// processors; AESENCLAST is not, and does SubWord for a word that stands in all
// four columns, where ShiftRows changes nothing. Its key operand adds rcon.
//
// An expansion is a chain of about 6 cycles a round key; where two are wanted
// (XTS), they are issued side by side and cost the time of one.

// expander issues one expansion, step by step.
type expander struct {
	key  Mem // the cipher key
	out  Mem // the schedule
	w    []VecVirtual
	rcon VecVirtual
}

// expandConstants are what all expanders of one kernel share.
type expandConstants struct {
	rotWord VecVirtual // PSHUFB mask: the last word of a key, rotated, in every column
}

// expandKeys generates expand128, expand192, expand256 for one key and
// expandPair128, expandPair256 for the two halves of an XTS key.
func expandKeys() {
	for _, bits := range []int{128, 192, 256} {
		TEXT(fmt.Sprintf("expand%d", bits), NOSPLIT, "func(enc *[240]byte, key *byte)")
		Doc(fmt.Sprintf("expand%d writes the encryption schedule of a %d-bit key.", bits, bits))
		Pragma("noescape")
		expand(bits, []string{"enc"})
	}
	for _, bits := range []int{128, 256} {
		TEXT(fmt.Sprintf("expandPair%d", bits), NOSPLIT, "func(first, second *[240]byte, key *byte)")
		Doc(fmt.Sprintf("expandPair%d writes the encryption schedules of the two %d-bit halves of an XTS key.", bits, bits))
		Pragma("noescape")
		expand(bits, []string{"first", "second"})
	}
}

func expand(bits int, outs []string) {
	key := Load(Param("key"), GP64())
	var es []*expander
	for i, out := range outs {
		es = append(es, &expander{
			key:  Mem{Base: key, Disp: i * bits / 8},
			out:  Mem{Base: Load(Param(out), GP64())},
			rcon: XMM(),
		})
	}
	c := expandConstants{rotWord: XMM()}
	switch bits {
	case 192:
		MOVOA(rotWord1(), c.rotWord)
	default:
		MOVOA(rotWord3(), c.rotWord)
	}
	for _, e := range es {
		MOVOA(rcon1(), e.rcon)
		e.w = xmms(2)
		MOVOU(e.key, e.w[0])
		MOVOA(e.w[0], e.out)
		switch bits {
		case 192:
			MOVQ(e.key.Offset(block), e.w[1])
		case 256:
			MOVOU(e.key.Offset(block), e.w[1])
			MOVOA(e.w[1], e.out.Offset(block))
		}
	}
	steps := map[int]int{128: 10, 192: 8, 256: 7}[bits]
	for i := 1; i <= steps; i++ {
		Commentf("Step %d", i)
		for _, e := range es {
			switch bits {
			case 128:
				e.step128(c, i)
			case 192:
				e.step192(c, i, i == steps)
			case 256:
				e.step256(c, i, i == steps)
			}
		}
	}
	RET()
}

// step128 makes round key i.
func (e *expander) step128(c expandConstants, i int) {
	w, t := e.w[0], XMM()
	MOVOA(w, t)
	PSHUFB(c.rotWord, t)
	AESENCLAST(e.rcon, t)
	PSLLL(U8(1), e.rcon)
	prefixXor(w)
	PXOR(t, w)
	MOVOA(w, e.out.Offset(i*block))
	if i == 8 {
		MOVOA(rcon1B(), e.rcon)
	}
}

// step256 makes round keys 2i and 2i+1; the last step only the first of them.
// Each depends on the one before only through one word, so that the rest is
// ready as the key operand of AESENCLAST: 5 cycles a round key.
func (e *expander) step256(c expandConstants, i int, last bool) {
	even, odd := e.w[0], e.w[1]
	prefixXor(even)
	PXOR(e.rcon, even)
	PSLLL(U8(1), e.rcon)
	t := XMM()
	MOVOA(odd, t)
	PSHUFB(c.rotWord, t)
	AESENCLAST(even, t)
	even = t
	MOVOA(even, e.out.Offset(2*i*block))
	if last {
		return
	}
	prefixXor(odd)
	t = XMM()
	PSHUFD(U8(0xff), even, t) // no RotWord, no rcon
	AESENCLAST(odd, t)
	odd = t
	MOVOA(odd, e.out.Offset((2*i+1)*block))
	e.w = []VecVirtual{even, odd}
}

// step192 makes words 6i to 6i+5; the last step only the first four of them.
// w[0] holds words 6i..6i+3, the low half of w[1] words 6i+4, 6i+5. Two steps
// make three round keys.
func (e *expander) step192(c expandConstants, i int, last bool) {
	lo, hi := e.w[0], e.w[1]
	t := XMM()
	MOVOA(hi, t)
	PSHUFB(c.rotWord, t)
	AESENCLAST(e.rcon, t)
	PSLLL(U8(1), e.rcon)
	prefixXor(lo)
	PXOR(t, lo)
	if i%2 == 0 {
		MOVOA(lo, e.out.Offset(3*i/2*block))
	}
	if last {
		return
	}
	// The words 6i+4, 6i+5 from the old ones and from word 6i+3.
	oldHi := XMM()
	MOVOA(hi, oldHi)
	s := XMM()
	MOVOA(hi, s)
	PSLLDQ(U8(4), s)
	PXOR(s, hi)
	t = XMM()
	PSHUFD(U8(0xff), lo, t)
	PXOR(t, hi)
	if i%2 == 1 {
		j := 3 * (i - 1) / 2
		Comment("Old words 4, 5 and new words 0, 1; then new words 2 to 5")
		SHUFPD(U8(0), lo, oldHi)
		MOVOA(oldHi, e.out.Offset((j+1)*block))
		mid := XMM()
		MOVOA(lo, mid)
		SHUFPD(U8(1), hi, mid)
		MOVOA(mid, e.out.Offset((j+2)*block))
	}
}

// prefixXor replaces word j of w by the xor of words 0 to j.
func prefixXor(w VecVirtual) {
	s := XMM()
	MOVOA(w, s)
	PSLLDQ(U8(4), s)
	PXOR(s, w)
	s = XMM()
	MOVOA(w, s)
	PSLLDQ(U8(8), s)
	PXOR(s, w)
}

func rotWord3() Mem { return words("rotWord3", 0x0c0f0e0d) }
func rotWord1() Mem { return words("rotWord1", 0x04070605) }
func rcon1() Mem    { return words("rcon1", 0x01) }
func rcon1B() Mem   { return words("rcon1B", 0x1b) }

// words is a constant of four equal 32-bit words.
func words(name string, word uint32) Mem {
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := 0; i < block; i += 4 {
		DATA(i, U32(word))
	}
	constants[name] = m
	return m
}

var constants = map[string]Mem{}

// invertKeys generates the schedule of the equivalent inverse cipher (FIPS 197,
// section 5.3.5), which AESDEC takes.
func invertKeys() {
	TEXT("invert", NOSPLIT, "func(dec, enc *[240]byte, rounds int)")
	Doc("invert writes the decryption schedule that belongs to an encryption schedule.")
	Pragma("noescape")
	dec := Mem{Base: Load(Param("dec"), GP64())}
	s := loadSchedule("enc")
	from := s.lastKey()
	k := XMM()
	MOVOA(from, k)
	MOVOA(k, dec)
	done := label("done")
	CMPQ(s.rounds, U8(12))
	for i := 1; i <= 13; i++ {
		switch i {
		case 10:
			JB(LabelRef(done))
		case 12:
			JE(LabelRef(done))
		}
		k := XMM()
		AESIMC(from.Offset(-i*block), k)
		MOVOA(k, dec.Offset(i*block))
	}
	Label(done)
	k = XMM()
	MOVOA(s.key(0), k)
	end := GP64()
	MOVQ(s.rounds, end)
	SHLQ(U8(4), end)
	MOVOA(k, Mem{Base: dec.Base, Index: end, Scale: 1})
	RET()
}

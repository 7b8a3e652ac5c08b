package app

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"gelibench/geli"
	"gelibench/geli/engine"
)

// unhex HEXFILE FILE SIZE OFF: makes a file of zeros that holds the bytes of
// HEXFILE, written in hexadecimal, at an offset.
func unhexFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: unhex HEXFILE FILE SIZE OFF")
	}
	raw, err := hex.DecodeString(strings.Join(strings.Fields(ts.ReadFile(args[0])), ""))
	ts.Check(err)
	size, err := strconv.Atoi(args[2])
	ts.Check(err)
	off, err := strconv.Atoi(args[3])
	ts.Check(err)
	data := make([]byte, size)
	copy(data[off:], raw)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o666))
}

// poke FILE OFF BYTE...: overwrites bytes; a negative offset counts from the end.
func poke(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: poke FILE OFF BYTE...")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	off, err := strconv.Atoi(args[1])
	ts.Check(err)
	if off < 0 {
		off += len(data)
	}
	for i, text := range args[2:] {
		b, err := strconv.ParseUint(text, 0, 8)
		ts.Check(err)
		data[off+i] = byte(b)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// relabel FILE FIELD=VALUE...: changes the label in a file's last 512 bytes and
// makes its checksum anew.
func relabel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: relabel FILE FIELD=VALUE...")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	last := data[len(data)-512:]
	l, err := geli.DecodeLabel(last)
	ts.Check(err)
	for _, change := range args[1:] {
		field, text, _ := strings.Cut(change, "=")
		n, err := strconv.ParseInt(text, 0, 64)
		ts.Check(err)
		switch field {
		case "ealgo":
			l.Alg = engine.Alg(n)
		case "sectorsize":
			l.SectorSize = int(n)
		case "keylen":
			l.KeyBits = int(n)
		case "aalgo":
			l.AAlg = geli.AAlg(n)
		case "flags":
			l.Flags = geli.Flags(n)
		case "keys":
			l.UsedSlots = uint8(n)
		case "provsize":
			l.ProviderBytes = n
		case "iterations":
			l.Iterations = int32(n)
		default:
			ts.Fatalf("there is no field %s", field)
		}
	}
	copy(last, l.Encode())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

package report

import (
	"strconv"
	"strings"
)

// geliListState is the block of "geli list" at hand.
type geliListState struct {
	p      *Provider
	inside string // "Providers" or "Consumers"
}

// geliList reads the blocks of "geli list": what a provider is, no rate.
func (rd *reader) geliList(l line) verdict {
	s := l.text
	st := &rd.geli
	key, v, ok := strings.Cut(s, ":")
	if !ok {
		return no
	}
	v = strings.TrimSpace(v)
	if i := strings.Index(key, "Name"); i > 0 && key[0] >= '0' && key[0] <= '9' {
		key = "Name" // "1. Name"
	}
	if key == "Geom name" {
		if len(rd.report.Providers) >= maxWarnings {
			return yes
		}
		rd.report.Providers = append(rd.report.Providers, Provider{Line: l.no, Name: v})
		st.p, st.inside = &rd.report.Providers[len(rd.report.Providers)-1], ""
		return yes
	}
	if st.p == nil {
		return no
	}
	switch key {
	case "EncryptionAlgorithm":
		if a, ok := parseAlg(v); ok {
			st.p.Cipher, st.p.Mode = a.cipher, a.mode
		}
	case "KeyLength":
		st.p.KeyBits, _ = strconv.Atoi(v)
	case "AuthenticationAlgorithm":
		st.p.Auth = v
	case "Crypto":
		st.p.Crypto = v
	case "Providers", "Consumers":
		st.inside = key
	case "Sectorsize":
		if st.inside == "Providers" && st.p.Sector == 0 {
			st.p.Sector, _ = strconv.ParseInt(v, 10, 64)
		}
		if st.inside == "Providers" {
			rd.geliKnown(l, *st.p)
		}
	case "Mediasize":
		if n, _, ok := strings.Cut(v, " "); ok && st.inside == "Providers" && st.p.MediaSize == 0 {
			st.p.MediaSize, _ = strconv.ParseInt(n, 10, 64)
		}
	case "State", "Version", "UsedKey", "Flags", "KeysAllocated", "KeysTotal", "Name", "Stripesize", "Stripeoffset", "Mode":
	default:
		if st.inside == "Consumers" {
			st.p = nil
		}
		return no
	}
	return yes
}

// geliKnown lets later dd lines through this provider know its cipher.
func (rd *reader) geliKnown(l line, p Provider) {
	if p.Cipher == "" {
		return
	}
	g := geliConf{sector: p.Sector, crypto: p.Crypto, line: l.no}
	g.alg = algorithm{cipher: p.Cipher, mode: p.Mode, keyBits: p.KeyBits, auth: p.Auth}
	c := rd.at(l)
	if len(c.gelis) < 256 {
		c.gelis = append(c.gelis, g)
	}
	c.geli = &g
}

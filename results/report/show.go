package report

import (
	"fmt"
	"strings"
)

// String is as in "mail.txt:21: cut off: …".
func (w Warning) String() string {
	if w.File == "" {
		return fmt.Sprintf("line %d: %s", w.Line, w.Text)
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}

// String is as in "gpt/disk.eli: AES-XTS, key of 256 bits, sectors of 4096 bytes, crypto hardware".
func (p Provider) String() string {
	s := p.Name + ": " + strings.Trim(p.Cipher+"-"+p.Mode, "-")
	if p.KeyBits > 0 {
		s += fmt.Sprintf(", key of %d bits", p.KeyBits)
	}
	if p.Auth != "" {
		s += ", authenticated by " + p.Auth
	}
	if p.Sector > 0 {
		s += fmt.Sprintf(", sectors of %d bytes", p.Sector)
	}
	if p.MediaSize > 0 {
		s += fmt.Sprintf(", %d bytes", p.MediaSize)
	}
	if p.Crypto != "" {
		s += ", crypto " + p.Crypto
	}
	return s
}

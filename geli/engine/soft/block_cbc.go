package soft

import (
	"crypto/cipher"
	"crypto/des"
	"encoding/binary"

	//lint:ignore SA1019 old GELI providers are encrypted with Blowfish; nothing new is protected by it
	"golang.org/x/crypto/blowfish"

	"gelibench/geli/engine"
)

// blockCBC is CBC over a cipher.Block of 8 bytes: the ciphers that GELI has
// dropped. The IV is the first 8 of a sector's 16 IV bytes.
type blockCBC struct {
	expand func(key []byte) (cipher.Block, error)
	block  cipher.Block
}

func expandTripleDES(key []byte) (cipher.Block, error) { return des.NewTripleDESCipher(key) }
func expandBlowfish(key []byte) (cipher.Block, error)  { return blowfish.NewCipher(key) }

func (c *blockCBC) setKey(key []byte) (err error) {
	c.block, err = c.expand(key)
	return err
}

func (c *blockCBC) wipe() { c.block = nil }

func (c *blockCBC) encrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	for i := range n {
		to, from := dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit]
		last := binary.LittleEndian.Uint64(ivs[i*engine.IVBytes:])
		for j := 0; j < g.Unit; j += 8 {
			block := to[j : j+8]
			binary.LittleEndian.PutUint64(block, binary.LittleEndian.Uint64(from[j:])^last)
			c.block.Encrypt(block, block)
			last = binary.LittleEndian.Uint64(block)
		}
	}
}

func (c *blockCBC) decrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	for i := range n {
		to, from := dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit]
		last := binary.LittleEndian.Uint64(ivs[i*engine.IVBytes:])
		for j := 0; j < g.Unit; j += 8 {
			block := to[j : j+8]
			this := binary.LittleEndian.Uint64(from[j:])
			c.block.Decrypt(block, from[j:j+8])
			binary.LittleEndian.PutUint64(block, binary.LittleEndian.Uint64(block)^last)
			last = this
		}
	}
}

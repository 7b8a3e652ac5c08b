package main

//go:noescape
func pshufb(out, a, b *[64]byte)

//go:noescape
func pmulld(out, a, b *[64]byte)

//go:noescape
func aesenc(out, a, b *[64]byte)

//go:noescape
func pclmulqdq(out, a, b *[64]byte)

//go:noescape
func sha256msg1(out, a, b *[64]byte)

//go:noescape
func vxorps(out, a, b *[64]byte)

//go:noescape
func vpxor(out, a, b *[64]byte)

//go:noescape
func sarx(out, a, b *[64]byte)

//go:noescape
func vaesenc(out, a, b *[64]byte)

//go:noescape
func vpclmulqdq(out, a, b *[64]byte)

//go:noescape
func vpxorq(out, a, b *[64]byte)

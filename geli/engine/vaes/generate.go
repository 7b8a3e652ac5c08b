package vaes

//go:generate go run -C _asm . -kernel schedule -pkg vaes -out ../schedule_amd64.s -stubs ../schedule_amd64.go
//go:generate go run -C _asm . -kernel xts -width 512 -pkg vaes -out ../xts_avx512_amd64.s -stubs ../xts_avx512_amd64.go
//go:generate go run -C _asm . -kernel xts -width 256 -pkg vaes -out ../xts_avx2_amd64.s -stubs ../xts_avx2_amd64.go
//go:generate go run -C _asm . -kernel cbcdec -width 512 -pkg vaes -out ../cbcdec_avx512_amd64.s -stubs ../cbcdec_avx512_amd64.go
//go:generate go run -C _asm . -kernel cbcdec -width 256 -pkg vaes -out ../cbcdec_avx2_amd64.s -stubs ../cbcdec_avx2_amd64.go
//go:generate go run -C _asm . -kernel cbcenc -width 512 -pkg vaes -out ../cbcenc_avx512_amd64.s -stubs ../cbcenc_avx512_amd64.go
//go:generate go run -C _asm . -kernel cbcenc -width 256 -pkg vaes -out ../cbcenc_avx2_amd64.s -stubs ../cbcenc_avx2_amd64.go
//go:generate go run -C _asm . -kernel cbcfew -pkg vaes -out ../cbcfew_amd64.s -stubs ../cbcfew_amd64.go

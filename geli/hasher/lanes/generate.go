package lanes

//go:generate go run -C _asm . -width 512 -pkg lanes -out ../kernels_avx512_amd64.s -stubs ../kernels_avx512_amd64.go
//go:generate go run -C _asm . -width 256 -pkg lanes -out ../kernels_avx2_amd64.s -stubs ../kernels_avx2_amd64.go

//go:build !amd64 || purego

package vaes

var kernelsAVX512, kernelsAVX2 *kernels

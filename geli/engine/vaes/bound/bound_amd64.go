//go:build amd64 && !purego

package bound

var run512, run256 = boundAVX512, boundAVX2

//go:build !linux && !freebsd

package provider

import (
	"fmt"
	"io"
	"os"
)

// diskGeometry gives a disk's size, which is where its end is, and takes 512
// for its sector.
func diskGeometry(f *os.File) (sizeBytes int64, sectorBytes int, err error) {
	sizeBytes, err = f.Seek(0, io.SeekEnd)
	if err == nil && sizeBytes == 0 {
		err = fmt.Errorf("its end cannot be found on this system")
	}
	return sizeBytes, defaultSectorBytes, err
}

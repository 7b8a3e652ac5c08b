package provider

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// diskGeometry gives a block device's size and logical sector, in bytes.
func diskGeometry(f *os.File) (sizeBytes int64, sectorBytes int, err error) {
	if sectorBytes, err = unix.IoctlGetInt(int(f.Fd()), unix.BLKSSZGET); err != nil {
		return 0, 0, err
	}
	sizeBytes, err = f.Seek(0, io.SeekEnd)
	return sizeBytes, sectorBytes, err
}

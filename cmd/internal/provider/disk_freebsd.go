package provider

import (
	"os"
	"syscall"
	"unsafe"
)

// sys/disk.h. FreeBSD's disks are character devices, whose end cannot be
// sought, so both sizes are asked for.
const (
	diocgSectorSize = 0x40046480 // _IOR('d', 128, u_int)
	diocgMediaSize  = 0x40086481 // _IOR('d', 129, off_t)
)

// diskGeometry gives a disk's size and sector, in bytes.
func diskGeometry(f *os.File) (sizeBytes int64, sectorBytes int, err error) {
	var sector uint32
	if err := ioctl(f, diocgSectorSize, unsafe.Pointer(&sector)); err != nil {
		return 0, 0, err
	}
	if err := ioctl(f, diocgMediaSize, unsafe.Pointer(&sizeBytes)); err != nil {
		return 0, 0, err
	}
	return sizeBytes, int(sector), nil
}

func ioctl(f *os.File, request uintptr, arg unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(arg)); errno != 0 {
		return errno
	}
	return nil
}

package geli

import (
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// memory is a sparse provider, strict about what it is asked. It keeps what was written; the rest is zeros.
type memory struct {
	size    int64
	sector  int // SectorSize; 0: 512
	piece   int // PieceSize
	mu      sync.Mutex
	sectors map[int64][512]byte
	reads   []int // lengths asked for
	writes  []int
}

func newMemory(size int64) *memory { return &memory{size: size, sectors: map[int64][512]byte{}} }

func (*memory) Name() string      { return "memory" }
func (m *memory) Size() int64     { return m.size }
func (m *memory) SectorSize() int { return max(m.sector, 512) }
func (m *memory) PieceSize() int  { return m.piece }

func (m *memory) check(p []byte, off int64) error {
	if off < 0 || off%int64(m.SectorSize()) != 0 || len(p)%m.SectorSize() != 0 {
		return fmt.Errorf("memory: %d bytes at %d: %w", len(p), off, fs.ErrInvalid)
	}
	return nil
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.check(p, off); err != nil {
		return 0, err
	}
	m.reads = append(m.reads, len(p))
	for n := 0; n < len(p); n += 512 {
		if off+int64(n) >= m.size {
			return n, io.EOF
		}
		s := m.sectors[off+int64(n)]
		copy(p[n:], s[:])
	}
	return len(p), nil
}

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.check(p, off); err != nil {
		return 0, err
	}
	m.writes = append(m.writes, len(p))
	for n := 0; n < len(p); n += 512 {
		if off+int64(n) >= m.size {
			return n, io.ErrShortWrite
		}
		m.sectors[off+int64(n)] = [512]byte(p[n:])
	}
	return len(p), nil
}

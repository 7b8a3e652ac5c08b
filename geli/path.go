package geli

import (
	"fmt"
	"io/fs"
)

// Rekey says when a key is expanded.
type Rekey string

const (
	// RekeyPerSector: before every sector, as the kernel's drivers do for
	// version 5 and later, since every request carries its key.
	RekeyPerSector Rekey = "per-sector"
	// RekeyCached: when the data key changes.
	RekeyCached Rekey = "cached"
)

// Path is how a device calls its engine. It changes the speed, never the
// bytes.
type Path struct {
	Name       string
	RunSectors int // most sectors in one call; 0: as many as suit the caches. 1 with RekeyPerSector
	Rekey      Rekey
}

// PathGELI is the kernel's way: one sector a call, the key expanded for each.
var PathGELI = Path{Name: "geli", RunSectors: 1, Rekey: RekeyPerSector}

// PathBatch is what the processor could do: long runs, keys kept.
var PathBatch = Path{Name: "batch", Rekey: RekeyCached}

// ParsePath reads "geli" or "batch".
func ParsePath(name string) (Path, error) {
	for _, p := range []Path{PathGELI, PathBatch} {
		if p.Name == name {
			return p, nil
		}
	}
	return Path{}, fmt.Errorf("unknown path %q (known: geli, batch): %w", name, fs.ErrInvalid)
}

// ParseRekey reads "per-sector" or "cached".
func ParseRekey(name string) (Rekey, error) {
	switch r := Rekey(name); r {
	case RekeyPerSector, RekeyCached:
		return r, nil
	}
	return "", fmt.Errorf("unknown re-key policy %q (known: per-sector, cached): %w", name, fs.ErrInvalid)
}

// Bounds of the run length where the path leaves it open: long enough to fill
// the widest engine several times over, short enough that data and IVs stay
// near.
const (
	runBytes      = 256 << 10
	runSectorsMin = 2 * 32
	runSectorsMax = 8 * 32
)

// resolve fills in what the path leaves open.
func (p Path) resolve(md Metadata) Path {
	if p == (Path{}) {
		p = PathGELI
	}
	if p.RunSectors == 0 {
		p.RunSectors = min(max(runBytes/md.SectorSize, runSectorsMin), runSectorsMax)
	}
	if p.Rekey == "" {
		p.Rekey = RekeyCached
	}
	if p.Rekey == RekeyPerSector {
		p.RunSectors = 1 // a key for each sector leaves no longer run
	}
	return p
}

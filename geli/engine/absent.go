package engine

// Absent stands for an engine in a build that has no kernels for it. It says
// what the engine is; Probe and all that needs kernels return NeedsBuild.
func Absent(name string, info Info, arch string) Engine {
	return absentEngine{absent{name, info, NeedsBuild(name, arch)}}
}

// AbsentHasher is Absent for a hasher. IVs panics: Probe has said that it cannot
// be called.
func AbsentHasher(name string, info Info, lanes int, arch string) Hasher {
	return absentHasher{absent{name, info, NeedsBuild(name, arch)}, lanes}
}

type absent struct {
	name string
	info Info
	why  error
}

func (a absent) Name() string { return a.name }
func (a absent) Info() Info   { return a.info }
func (a absent) Probe() error { return a.why }

type absentEngine struct{ absent }

func (a absentEngine) Supports(Params) error              { return a.why }
func (a absentEngine) NewSession(Params) (Session, error) { return nil, a.why }

type absentHasher struct {
	absent
	lanes int
}

func (a absentHasher) Lanes() int                             { return a.lanes }
func (a absentHasher) IVs([]byte, *[8]uint32, uint64, uint64) { panic(a.why) }

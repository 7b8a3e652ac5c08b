//go:build !race

package lanes

const raceEnabled = false

func raceRun([]byte, *[8]uint32) {}

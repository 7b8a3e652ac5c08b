// Package compare sets figures beside each other: runs that were saved, reports
// of other tools, and published results, in any mixture.
//
// An Operand is one of these, as a list of Figures. Beside matches the figures
// of a base with those of the others, case by case (match.go), tests what has
// samples, and marks or refuses what would compare different things
// (difference.go). Among looks at many hosts that did the same and names those
// that fall out, with the likely reason (hosts.go). Screen and JSON write either.
//
// The rule of matching: cipher, mode, key length, integrity, sector, direction
// and workers are the same. Where one side doesn't state one of them, the two
// match if no other figure fits as well, and a mark says so. What finds no
// partner is listed with the reason.
package compare

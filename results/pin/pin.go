// Package pin says on which CPUs workers run, and binds threads to them.
package pin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// CPU is one logical CPU that the program may use.
type CPU struct {
	ID   int // as the system numbers it
	Core int // the same for all threads of one physical core
	Kind int // tells unlike cores apart; 0 is the fastest kind
}

// Auto is the list that List makes up by itself.
const Auto = "auto"

// List reads what a user says about CPUs: "0,2-3" are these CPUs in this
// order, "auto" all of cpus, one of each physical core before any second
// thread of a core, the fastest kind of cores first. Worker i belongs on
// element i, modulo the length.
//
// A list may only name what is in cpus, and nothing twice; errors wrap
// fs.ErrInvalid. Where cpus is empty, the system does not tell which CPUs there
// are: the error of auto wraps errors.ErrUnsupported then, and a list is taken
// as it is, for Thread to judge.
func List(list string, cpus []CPU) ([]int, error) {
	if list == Auto {
		if len(cpus) == 0 {
			return nil, fmt.Errorf("CPUs %q: the system does not tell which ones there are: %w", list, errors.ErrUnsupported)
		}
		return auto(cpus), nil
	}
	var ids []int
	for item := range strings.SplitSeq(list, ",") {
		from, to, err := span(item)
		if err != nil {
			return nil, fmt.Errorf("CPUs %q: %q is neither a number nor a range such as 2-3: %w", list, item, fs.ErrInvalid)
		}
		for id := from; id <= to; id++ {
			switch {
			case slices.Contains(ids, id):
				return nil, fmt.Errorf("CPUs %q: CPU %d is named twice: %w", list, id, fs.ErrInvalid)
			case len(cpus) > 0 && !slices.ContainsFunc(cpus, func(c CPU) bool { return c.ID == id }):
				return nil, fmt.Errorf("CPUs %q: there is no CPU %d for this program, only %s: %w", list, id, Format(idsOf(cpus)), fs.ErrInvalid)
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// auto deals the CPUs out.
func auto(cpus []CPU) []int {
	sorted := slices.SortedStableFunc(slices.Values(cpus), func(a, b CPU) int { return cmp.Compare(a.ID, b.ID) })
	type seat struct {
		CPU
		thread int // of its core, from 0
	}
	threads := map[int]int{}
	var seats []seat
	for _, c := range sorted {
		seats = append(seats, seat{c, threads[c.Core]})
		threads[c.Core]++
	}
	slices.SortStableFunc(seats, func(a, b seat) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.Kind, b.Kind))
	})
	ids := make([]int, len(seats))
	for i, s := range seats {
		ids[i] = s.ID
	}
	return ids
}

func idsOf(cpus []CPU) []int {
	ids := make([]int, len(cpus))
	for i, c := range cpus {
		ids[i] = c.ID
	}
	slices.Sort(ids)
	return ids
}

// span reads "3" or "2-5".
func span(item string) (from, to int, err error) {
	first, last, isRange := strings.Cut(strings.TrimSpace(item), "-")
	if !isRange {
		last = first
	}
	a, err := strconv.ParseUint(first, 10, 16)
	if err != nil {
		return 0, 0, err
	}
	b, err := strconv.ParseUint(last, 10, 16)
	if err == nil && a > b {
		err = fs.ErrInvalid
	}
	return int(a), int(b), err
}

// Parse reads Linux's lists of CPUs, as in "0-3,8", into ascending order. The
// empty text is no CPUs.
func Parse(list string) ([]int, error) {
	var ids []int
	if list == "" {
		return nil, nil
	}
	for item := range strings.SplitSeq(list, ",") {
		from, to, err := span(item)
		if err != nil {
			return nil, fmt.Errorf("CPUs %q: %q: %w", list, item, fs.ErrInvalid)
		}
		for id := from; id <= to; id++ {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// Format writes CPUs as Parse and List read them, ascending ranges joined. It
// keeps their order.
func Format(ids []int) string {
	var b strings.Builder
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(ids[i]))
		if j > i {
			b.WriteString("-" + strconv.Itoa(ids[j]))
		}
		i = j + 1
	}
	return b.String()
}

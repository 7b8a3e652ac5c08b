//go:build amd64 && !purego

package aesni

import "gelibench/geli/mem"

// lagBlocks is how far a group of chains keeps behind the one before it when
// their sectors collide in the cache: one line.
const lagBlocks = mem.CacheLine / block

// group is sectors of a run that are at the same block.
type group struct {
	sector  int // the first
	chains  int // 1 to groupChains
	done    int // bytes of each sector
	pending int // blocks of each sector
}

// staggered is together for sectors that would collide in the cache: the groups
// start one cache line apart, and each goes on to the next sectors as soon as
// it has finished its own, so that they stay apart to the end of the run.
func (r *cbcRun) staggered(n int) {
	passes := (n + maxChains - 1) / maxChains
	wide := (n + passes*groupChains - 1) / (passes * groupChains) // groups in flight
	var active [maxGroups]group
	groups, next := 0, 0
	for next < n || groups > 0 {
		steps := 0
		if groups < wide && next < n {
			active[groups] = r.start(groups, next, n)
			next += active[groups].chains
			if groups++; groups < wide && next < n {
				steps = lagBlocks
			}
		}
		chains := 0
		for _, a := range active[:groups] {
			chains += a.chains
			if steps == 0 || a.pending < steps {
				steps = a.pending
			}
		}
		r.advance(active[:groups], chains, steps, next)
		groups = r.retire(active[:groups])
	}
}

// start makes the group of the next sectors, at place i. Only the last group of
// a run has fewer than groupChains sectors, so that it stands behind the others
// whenever it runs, as cbcEncrypt wants it.
func (r *cbcRun) start(i, next, n int) group {
	a := group{sector: next, chains: min(groupChains, n-next), pending: r.Unit / block}
	copy(r.last[i*groupChains*block:], r.ivs[next*block:(next+a.chains)*block])
	return a
}

// advance does the next blocks of all groups; next is the sector after them.
func (r *cbcRun) advance(active []group, chains, blocks, next int) {
	var dst, src [maxGroups]*byte
	for i := range active {
		a := &active[i]
		dst[i] = &r.dst[a.sector*r.DstStride+a.done]
		src[i] = &r.src[a.sector*r.SrcStride+a.done]
		a.done += blocks * block
		a.pending -= blocks
	}
	r.encrypt(&dst, &src, &r.last[0], chains, blocks, next-active[0].sector)
}

// retire closes the ranks over groups that have finished and returns how many
// are left.
func (r *cbcRun) retire(active []group) int {
	kept := 0
	for i, a := range active {
		if a.pending == 0 {
			continue
		}
		if kept != i {
			active[kept] = a
			copy(r.last[kept*groupChains*block:][:groupChains*block], r.last[i*groupChains*block:])
		}
		kept++
	}
	return kept
}

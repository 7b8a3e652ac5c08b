package geli

import (
	"container/list"
	"io/fs"
	"sync"

	"gelibench/geli/mem"
)

// keyCacheLimit is kern.geom.eli.key_cache_limit's default: gzero.eli at 4096
// has 2^28 data keys, so they cannot all be kept.
const keyCacheLimit = 8192

// keyCache keeps the data keys used last. It is safe for concurrent use.
type keyCache struct {
	source *keySource
	limit  int

	mu     sync.Mutex
	wiped  bool
	recent *list.List // of *cachedKey, the one used last in front
	byNo   map[uint64]*list.Element
}

type cachedKey struct {
	keyno uint64
	key   derivedKey
}

func newKeyCache(source *keySource, limit int) *keyCache {
	return &keyCache{source: source, limit: limit, recent: list.New(), byNo: map[uint64]*list.Element{}}
}

// get copies data key number keyno to dst, deriving it if it is not there. It
// fails with fs.ErrClosed after wipe.
func (c *keyCache) get(dst *derivedKey, keyno uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wiped {
		return fs.ErrClosed
	}
	if e, ok := c.byNo[keyno]; ok {
		c.recent.MoveToFront(e)
		*dst = e.Value.(*cachedKey).key
		return nil
	}
	var e *list.Element
	if c.recent.Len() < c.limit {
		e = c.recent.PushFront(new(cachedKey))
	} else { // the oldest entry makes room and is overwritten
		e = c.recent.Back()
		delete(c.byNo, e.Value.(*cachedKey).keyno)
		c.recent.MoveToFront(e)
	}
	entry := e.Value.(*cachedKey)
	entry.keyno = keyno
	c.source.derive(&entry.key, keyno)
	c.byNo[keyno] = e
	*dst = entry.key
	return nil
}

// wipe forgets every key and the base they come from.
func (c *keyCache) wipe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wiped = true
	for e := c.recent.Front(); e != nil; e = e.Next() {
		mem.Wipe(e.Value.(*cachedKey).key[:])
	}
	c.recent.Init()
	clear(c.byNo)
	c.source.wipe()
}

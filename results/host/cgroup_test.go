package host

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// Where a process's quota is looked for, and which of several counts.
func TestQuotaIsFound(t *testing.T) {
	const (
		v2        = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
		v2inside  = "30 23 0:26 /docker/a /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		v2outside = "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
		v1        = "33 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n32 31 0:30 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu\n"
	)
	for _, c := range []struct {
		what          string
		group, mounts string
		files         map[string]string
		want          float64 // 0: no bound
		where         string
	}{
		{"none", "0::/", v2, nil, 0, ""},
		{"own", "0::/a/b", v2, map[string]string{"a/b/cpu.max": "50000 100000"}, 0.5, "sys/fs/cgroup/a/b/cpu.max"},
		{"above, lower", "0::/a/b", v2, map[string]string{"a/b/cpu.max": "300000 100000", "a/cpu.max": "150000 100000"}, 1.5, "sys/fs/cgroup/a/cpu.max"},
		{"above, higher", "0::/a/b", v2, map[string]string{"a/b/cpu.max": "20000 10000", "a/cpu.max": "400000 100000"}, 2, "sys/fs/cgroup/a/b/cpu.max"},
		{"above, own unbounded", "0::/a/b", v2, map[string]string{"a/b/cpu.max": "max 100000", "a/cpu.max": "400000 100000"}, 4, "sys/fs/cgroup/a/cpu.max"},
		{"not a neighbour's", "0::/a", v2, map[string]string{"a/cpu.max": "max 100000", "b/cpu.max": "1000 100000"}, 0, ""},
		{"mounted from its own group", "0::/docker/a", v2inside, map[string]string{"cpu.max": "1000 10000"}, 0.1, "sys/fs/cgroup/cpu.max"},
		{"mounted from above it", "0::/docker/a/x", v2inside, map[string]string{"x/cpu.max": "1000 10000"}, 0.1, "sys/fs/cgroup/x/cpu.max"},
		{"mounted from elsewhere", "0::/other", v2inside, map[string]string{"other/cpu.max": "1000 10000", "cpu.max": "7000 10000"}, 0.7, "sys/fs/cgroup/cpu.max"},
		{"mounted from a namesake", "0::/docker/ab", v2inside, map[string]string{"b/cpu.max": "1000 10000", "cpu.max": "7000 10000"}, 0.7, "sys/fs/cgroup/cpu.max"},
		{"a namespace", "0::/", v2outside, map[string]string{"cpu.max": "9000 10000"}, 0.9, "sys/fs/cgroup/cpu.max"},
		{"version 1", "4:cpu,cpuacct:/j\n3:cpuset:/k\n0::/", v1, map[string]string{
			"cpu/j/cpu.cfs_quota_us": "25000\n", "cpu/j/cpu.cfs_period_us": "100000\n",
			"cpuset/k/cpu.cfs_quota_us": "1000", "cpuset/k/cpu.cfs_period_us": "100000",
		}, 0.25, "sys/fs/cgroup/cpu/j/cpu.cfs_quota_us"},
		{"version 1, no bound", "4:cpu,cpuacct:/j", v1, map[string]string{
			"cpu/j/cpu.cfs_quota_us": "-1", "cpu/j/cpu.cfs_period_us": "100000",
		}, 0, ""},
		{"junk", "0::/a", v2, map[string]string{"a/cpu.max": "lots"}, 0, ""},
	} {
		files := fstest.MapFS{
			"proc/self/cgroup":    {Data: []byte(c.group)},
			"proc/self/mountinfo": {Data: []byte("24 1 0:22 / /proc rw - proc proc rw\n" + c.mounts)},
			"sys/fs/cgroup/x.txt": {},
		}
		for name, text := range c.files {
			files["sys/fs/cgroup/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		h := &Host{files: tree{files}}
		cpus, where, limited, known := h.cpuQuota()
		if !known || cpus != c.want || limited != (c.want > 0) || where != c.where {
			t.Errorf("%s: %v CPUs by %q, limited %v, known %v; want %v by %q", c.what, cpus, where, limited, known, c.want, c.where)
		}
	}
	if _, _, limited, known := (&Host{}).cpuQuota(); limited || known {
		t.Error("without files, something is known of a quota")
	}
}

func TestTopology(t *testing.T) {
	f := newFake(t, "laptop")
	var got [][3]int
	for _, c := range f.Topology() {
		got = append(got, [3]int{c.ID, c.Core, c.Kind})
	}
	want := [][3]int{{0, 0, 0}, {1, 0, 0}, {2, 2, 1}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, c := range []struct {
		speeds []int64
		want   []int
	}{
		{[]int64{1024, 1024, 446}, []int{0, 0, 1}},
		{[]int64{446, 1024, 758}, []int{2, 0, 1}}, // a phone of three kinds
		{[]int64{4900, 5000, 5100, 5000}, []int{0, 0, 0, 0}},
		{[]int64{0, 0}, []int{0, 0}},
	} {
		if diff := cmp.Diff(c.want, kindsOf(c.speeds)); diff != "" {
			t.Errorf("%v: -want +got:\n%s", c.speeds, diff)
		}
	}
	if got := (&Host{self: process{goos: "plan9"}}).Topology(); got != nil {
		t.Errorf("nothing is known: %v", got)
	}
}

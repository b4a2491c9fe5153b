package cgroup

import (
	"path"
	"testing"
)

// Files of the kernel come through bundles too, where anybody may have written them.
func FuzzCounters(f *testing.F) {
	f.Add("low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n", "oom_kill")
	f.Add("9223372036854771712\n", "")
	f.Add("12:memory:/kubepods/pod1/c\n0::/system.slice/kubelet.service (deleted)\n", "max")
	f.Add("0::/../kubepods.slice\n", "max")
	f.Fuzz(func(t *testing.T, text, key string) {
		for what, n := range map[string]int64{"single": single(text), "keyed": keyed(text, key)} {
			if n < -1 || n >= noLimitV1 {
				t.Errorf("%s of %q, %q: %d", what, text, key, n)
			}
		}
		for _, version := range []int{1, 2} {
			p, ok := ownCgroup(text, version)
			if ok != (p != "") || ok && (!path.IsAbs(p) || path.Clean(p) != p) {
				t.Errorf("%q is at home in %q, %v", text, p, ok)
			}
		}
	})
}

package textlog

import "testing"

// Any program may write into the kernel's log. A secret that it begins there hides none of the kernel's lines, as one
// of the kubelet's own goes on in its next lines.
func TestNothingHidesTheKernelsLines(t *testing.T) {
	const kill = "Mar  1 10:00:42 n1 kernel: Memory cgroup out of memory: Killed process 4711 (web)"
	for head, want := range map[string]bool{"kernel": true, "kubelet[80]": false} {
		hide := Hider()
		hide("Mar  1 10:00:41 n1 " + head + ": -----BEGIN RSA PRIVATE KEY-----")
		line, keep := hide("Mar  1 10:00:42 n1 " + head + kill[len("Mar  1 10:00:42 n1 kernel"):])
		if !keep || (line == kill) != want {
			t.Errorf("behind a key of %s stands %q", head, line)
		}
	}
}

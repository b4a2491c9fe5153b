package foreign

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A terminal's text has a clock of its own, and its prompt names the machine whose containers stand there.
func TestATerminalTellsItsTimeAndItsMachine(t *testing.T) {
	const text = `the server was rebooted, and nothing runs

root@srv1:~# uptime
 08:55:12 up 12 min,  2 users,  load average: 0.31, 0.28, 0.19
root@srv1:~# docker ps -a --format "table {{.ID}}\t{{.Status}}\t{{.Names}}"
CONTAINER ID   STATUS                        NAMES
1f2e3d4c5b6a   Exited (137) 13 minutes ago   k8s_shop_shop-0_default_0b1c2d3e-4f50-4617-a8b9-c0d1e2f3a4b5_2
`
	p := newPlaces([]evidence.File{evidence.Bytes("notes.txt", []byte(text))}, "", nil)
	p.at = time.Date(2021, 11, 29, 21, 0, 0, 0, time.UTC)
	p.arrange()
	if want := time.Date(2021, 11, 29, 8, 55, 12, 0, time.UTC); !p.at.Equal(want) {
		t.Errorf("printed at %v, want %v", p.at, want)
	}
	var all []string
	for _, f := range p.out {
		all = append(all, f.Path)
	}
	for _, want := range []string{"nodes/unnamed/printed.txt", "nodes/unnamed/cri.json"} {
		if !strings.Contains(strings.Join(all, " "), want) {
			t.Errorf("no %s in %v", want, all)
		}
	}
}

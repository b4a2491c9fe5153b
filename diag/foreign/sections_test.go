package foreign

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The table of containers has ages only. They count from the newest line of the same text, whenever it was copied.
func TestAgesInATableCountFromTheLinesBesideIt(t *testing.T) {
	const id = "675e7866f0690cc2fdea9e2e2cdc0e0e4ed66dbe280c45c05dfc5a3d29fa7641"
	table := strings.Join([]string{"", "==> container status <==",
		"CONTAINER           IMAGE               CREATED             STATE               NAME       ATTEMPT   POD ID",
		id[:13] + "       cbb01a7bd410d       25 minutes ago      Exited              coredns    0         " +
			"8426bd0109baa", "", "",
	}, "\n")
	copied := time.Date(2026, 11, 29, 4, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ kubelet, want string }{
		"its journal's span": {"-- Logs begin at Tue 2020-06-23 08:58:34 UTC, end at Tue 2020-06-23 09:03:52 UTC. --\n" +
			"Jun 23 09:03:51 minikube kubelet[4355]: I0623 09:03:51.849651    4355 server.go:1125] Started kubelet\n",
			"2020-06-23T08:3"},
		"lines of the day before": {
			"Nov 28 09:03:51 minikube kubelet[4355]: I1128 09:03:51.849651    4355 server.go:1125] Started kubelet\n",
			"2026-11-28T08:3"},
		"no line with a date": {"x\n", "2026-11-29T03:3"},
	} {
		p := newPlaces([]evidence.File{evidence.Bytes("logs.txt", []byte("==> kubelet <==\n"+c.kubelet+table))}, "", nil)
		p.at = copied
		p.arrange()
		var out bytes.Buffer
		for _, f := range p.out {
			out.WriteString(text(t, f))
		}
		var ns int64
		if _, at, ok := strings.Cut(out.String(), `"createdAt": `); ok {
			_, _ = fmt.Sscan(strings.SplitN(at, ",", 2)[0], &ns)
		}
		if got := time.Unix(0, ns).UTC().Format(time.RFC3339); got[:len(c.want)] != c.want {
			t.Errorf("%s: made at %s, want %s", name, got, c.want)
		}
	}
}

// What holds for many pieces of one file is said once.
func TestGapsOfPiecesAreMerged(t *testing.T) {
	got := merged([]evidence.Gap{gap("", "read a.log.1: ages only", ""), gap("", "read b.log: ages only", ""),
		gap("", "read a.log.2: ages only", ""), gap("", "read a.log.3: cut", "")})
	want := []string{"read a.log: ages only (in 2 of its pieces)", "read b.log: ages only", "read a.log.3: cut"}
	if len(got) != len(want) {
		t.Fatalf("%+v, want %q", got, want)
	}
	for i := range want {
		if got[i].Why != want[i] {
			t.Errorf("%q, want %q", got[i].Why, want[i])
		}
	}
}

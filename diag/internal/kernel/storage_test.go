package kernel

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestWhatADiskThatFailsMayHaveLost(t *testing.T) {
	at := func(s int) time.Time { return time.Date(2026, 11, 21, 7, 0, s, 0, time.UTC) }
	loss := func(from, until time.Time) evidence.Loss {
		return evidence.Loss{Node: "n1", Source: evidence.SourceKernelLog, From: from, Until: until, Counted: true}
	}
	const head = "# kmsg boottime=2026-11-21T07:00:00Z bootid=e9c7ac50-23c0-4cb9-871e-d59d73bc3c56\n"
	for name, c := range map[string]struct {
		log  string
		want []evidence.Loss
	}{
		"a page that was not written": {head + "[  100.0] Buffer I/O error on dev sda1, logical block 4711, lost async page write\n",
			[]evidence.Loss{loss(at(65), at(105))}},
		"many of them": {head + "[  100.0] I/O error, dev sda, sector 1 op 0x1:(WRITE) flags 0x0\n" +
			"[  130.0] I/O error, dev sda, sector 9 op 0x1:(WRITE) flags 0x0\n",
			[]evidence.Loss{loss(at(65), at(135))}},
		"a file system that is read-only from then on": {head + "[  100.0] EXT4-fs (sda1): Remounting filesystem read-only\n",
			[]evidence.Loss{loss(at(65), time.Time{})}},
		"one that is written again": {head + "[  100.0] EXT4-fs (sda1): Remounting filesystem read-only\n" +
			"[  160.0] EXT4-fs (sdb1): re-mounted 6c1a r/w. Quota mode: none.\n" +
			"[  170.0] EXT4-fs (sda1): re-mounted 6c1b ro. Quota mode: none.\n" +
			"[  190.0] EXT4-fs (sda1): re-mounted 6c1b r/w. Quota mode: none.\n",
			[]evidence.Loss{loss(at(65), at(190))}},
		"its journal": {head + "[  100.0] Aborting journal on device dm-0-8.\n" +
			"[  150.0] EXT4-fs (dm-0): mounted filesystem 6c1b r/w with ordered data mode.\n",
			[]evidence.Loss{loss(at(65), at(150))}},
		"one that was shut down, mounted anew": {head + "[  100.0] XFS (dm-1): Filesystem has been shut down due to log error (0x2).\n" +
			"[  150.0] XFS (dm-1): Mounting V5 Filesystem 6c1b\n", []evidence.Loss{loss(at(65), at(150))}},
		"one of which nothing tells when": {"[  100.0] BTRFS info (device sda1): forced readonly\n",
			[]evidence.Loss{loss(time.Time{}, time.Time{})}},
		"one in a zone that nothing tells": {"[Sat Nov 21 07:40:19 2026] EXT4-fs (sda1): Remounting filesystem read-only\n",
			[]evidence.Loss{loss(time.Time{}, time.Time{})}},
		"a drive without a disk": {head + "[  100.0] I/O error, dev sr0, sector 0\n", nil},
	} {
		b := evidence.NewBuilder(at(3600))
		NewPiece("n1", evidence.Bytes(Path("n1"), []byte(c.log)), at(3600)).Observe(b)
		if diff := cmp.Diff(c.want, b.Build().Losses); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// Signs alone, as people draw them between two logs, are no rest of a path.
func TestARuleBelowALineIsNoPartOfIt(t *testing.T) {
	line := "Task in " + memc + " killed as a result of limit of " + pod
	for _, rule := range []string{"---", "===========", "...", "-/-"} {
		var got []string
		if _, err := Read(strings.NewReader("[ 7063.247407] "+line+"\n"+rule+"\n"), nil, func(e evidence.Entry) {
			got = append(got, e.Message)
		}); err != nil || len(got) != 1 || got[0] != line {
			t.Errorf("%q: %q, %v", rule, got, err)
		}
	}
}

package hostfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// A collector pod mounts the node's /proc at most: what it sees of /etc is its own,
// or nothing.
func TestANodeThatIsMountedInPartTellsNeitherItsNameNorItsZone(t *testing.T) {
	root := filetest.Plant(t, map[string]string{
		"proc/sys/kernel/hostname":                     "restartwhy-collector-0\n",
		"proc/sys/kernel/random/boot_id":               "11111111-2222-3333-4444-555555555555\n",
		"proc/stat":                                    "btime 1795244000\n",
		"etc/kubernetes/manifests/kube-apiserver.yaml": "{}\n",
	})
	h, gaps := Read(Options{Root: root})
	if h.Hostname != "" || h.NodeName != "" || h.ZoneOffset != nil {
		t.Errorf("name %q, host name %q, zone %v", h.NodeName, h.Hostname, h.ZoneOffset)
	}
	if !strings.HasPrefix(h.BootID, "11111111") || h.BootTime.IsZero() {
		t.Errorf("boot %q at %s, gaps %v", h.BootID, h.BootTime, gaps)
	}
	if err := os.WriteFile(filepath.Join(root, "etc/os-release"), []byte("PRETTY_NAME=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if h, _ = Read(Options{Root: root}); h.ZoneOffset == nil || *h.ZoneOffset != 0 {
		t.Errorf("zone %v: an /etc without a local time means UTC", h.ZoneOffset)
	}
}

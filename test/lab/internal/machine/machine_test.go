package machine

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

func TestIsInit(t *testing.T) {
	const base = "Name:\tsystemd\nPid:\t4711\nNSpid:\t4711\t1\nThreads:\t1\n"
	tests := []struct {
		name, status string
		want         bool
	}{
		{"process 1 of a node", base, true},
		{"a container's process 1 inside a node", strings.Replace(base, "4711\t1", "4711\t88\t1", 1), true},
		{"another process of a node", strings.Replace(base, "4711\t1", "4711\t12", 1), false},
		{"a process of the host", strings.Replace(base, "4711\t1", "4711", 1), false},
		{"the host's own process 1", strings.Replace(base, "4711\t1", "1", 1), false},
		{"a status without the line", "Name:\tx\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := isInit(tt.status); got != tt.want {
				t.Errorf("= %v", got)
			}
		})
	}
}

func TestEveryNodeHasAddressesOfItsOwn(t *testing.T) {
	seen := map[string]int{HostAddress: 0}
	for index := 1; index <= 9; index++ {
		if net.ParseIP(Address(index)) == nil {
			t.Errorf("node %d: %q is no address", index, Address(index))
		}
		if _, _, err := net.ParseCIDR(podRange(index)); err != nil {
			t.Errorf("node %d: %v", index, err)
		}
		for _, a := range []string{Address(index), podRange(index)} {
			if other, dup := seen[a]; dup {
				t.Errorf("nodes %d and %d share %s", other, index, a)
			}
			seen[a] = index
		}
	}
}

func TestFilesNameTheNodeAndKeepTheWholeJournal(t *testing.T) {
	f := files("n2", 2)
	for path, want := range map[string]string{
		"/etc/hostname":                           "n2\n",
		"/etc/systemd/journald.conf.d/lab.conf":   "RateLimitIntervalSec=0",
		"/etc/systemd/system/lab-network.service": Address(2),
		"/etc/systemd/system/kubelet.service":     "KillMode=process",
		"/etc/cni/net.d/10-lab.conflist":          podRange(2),
		containerdConf:                            "restrict_oom_score_adj = true",
	} {
		if !strings.Contains(f[path], want) {
			t.Errorf("%s lacks %q:\n%s", path, want, f[path])
		}
	}
}

func TestWriteFileReplacesWithoutTouchingTheOldFile(t *testing.T) {
	m := &Machine{Name: "n1", Root: t.TempDir()}
	if err := m.WriteFile(KubeletBinary, []byte("old"), 0o755); err != nil {
		t.Fatal(err)
	}
	running, err := os.Open(filepath.Join(m.Root, KubeletBinary))
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	if err := m.WriteFile(KubeletBinary, []byte("new"), 0o755); err != nil {
		t.Fatal(err)
	}
	old := make([]byte, 3)
	if _, err := running.Read(old); err != nil || string(old) != "old" {
		t.Errorf("the program that runs now reads %q, %v", old, err)
	}
	got, err := os.ReadFile(filepath.Join(m.Root, KubeletBinary))
	if err != nil || string(got) != "new" {
		t.Errorf("the next start reads %q, %v", got, err)
	}
}

func TestCommandEntersEveryNamespaceOfTheNode(t *testing.T) {
	got := (&Machine{Init: 4711}).Command(t.Context(), "true").Args
	want := []string{"nsenter", "-t", "4711", "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w", "--", "true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAttach(t *testing.T) {
	book, err := ledger.Open(filepath.Join(t.TempDir(), "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := book.Update(func(b *ledger.Book) {
		b.Nodes = []ledger.Node{{Name: "n1", Index: 1, Init: 42}, {Name: "n2", Index: 2}}
	}); err != nil {
		t.Fatal(err)
	}
	m, err := Attach(book, "/lab/run", "n1")
	if err != nil || m.Init != 42 || m.Root != "/lab/run/nodes/n1" {
		t.Errorf("= %+v, %v", m, err)
	}
	for name, want := range map[string]string{"n2": "it never booted", "n3": "no such node in this lab"} {
		if _, err := Attach(book, "/lab/run", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want %q", name, err, want)
		}
	}
}

func TestSubdirectoriesListsParentsFirst(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "kubepods", "burstable", "pod1")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	got := subdirectories(top)
	want := []string{top, filepath.Join(top, "kubepods"), filepath.Join(top, "kubepods", "burstable"), deep}
	if !slices.Equal(got, want) {
		t.Errorf("= %v", got)
	}
	if got := subdirectories(filepath.Join(top, "gone")); len(got) != 0 {
		t.Errorf("a directory that is gone has %v", got)
	}
}

func TestMembersNeverNamesTheHostsInitOrStrangers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte("0\n1\n4711\nx\n4712\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{4711, 4712}, members(dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFetchCopiesOutOfTheNode(t *testing.T) {
	m := &Machine{Name: "n1", Root: t.TempDir()}
	if err := m.WriteFile("/var/tmp/bundle", []byte("evidence"), 0o644); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "results", "bundle")
	if err := m.Fetch("/var/tmp/bundle", to); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "evidence" {
		t.Errorf("= %q, %v", got, err)
	}
	if err := m.Fetch("/var/tmp/none", to); err == nil || !strings.HasPrefix(err.Error(), "fetch from node n1:") {
		t.Errorf("error = %v", err)
	}
}

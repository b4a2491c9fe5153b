package machine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

func anEmulated(t *testing.T) emulated {
	t.Helper()
	dir := t.TempDir()
	book, err := ledger.Open(filepath.Join(dir, "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	return emulated{&Machine{Name: "n1", Index: 1, Kind: Emulated, Root: filepath.Join(dir, "nodes", "n1"), book: book}}
}

// A shell on the other side splits what ssh passes on; the arguments must arrive unchanged.
func TestAnEmulatedMachineGetsArgumentsAsTheyAre(t *testing.T) {
	m := anEmulated(t)
	want := []string{"sh", "-c", `echo "$1" 'two'`, "sh", "a  b'c$d\n;e"}
	args := m.command(t.Context(), want...).Args
	if diff := cmp.Diff([]string{"ssh", "-F", m.Root + ".ssh", "n1", "--"}, args[:5]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s|' `+args[5]).Output()
	if err != nil || string(out) != strings.Join(want, "|")+"|" {
		t.Errorf("arrives as %q, %v", out, err)
	}
}

func TestFilesOfAnEmulatedMachineGoOntoItsDiskBeforeItRuns(t *testing.T) {
	m := anEmulated(t)
	if err := m.WriteFile("/etc/lab/x", []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(m.Root, "etc/lab/x")); err != nil || string(got) != "text" {
		t.Errorf("= %q, %v", got, err)
	}
}

func TestAnEmulatedMachineIsANodeOfToday(t *testing.T) {
	f := anEmulated(t).files()
	for path, want := range map[string]string{
		containerdConf:                          "SystemdCgroup = true",
		networkUnit:                             Address(1) + "/24 dev eth0",
		runtimeUnit:                             RuntimePrograms["containerd"],
		"/etc/fstab":                            "/dev/vda / ext4",
		"/etc/systemd/journald.conf.d/lab.conf": "RateLimitIntervalSec=0",
	} {
		if !strings.Contains(f[path], want) {
			t.Errorf("%s lacks %q:\n%s", path, want, f[path])
		}
	}
	args := strings.Join(anEmulated(t).qemuArgs(software, "/console.log"), " ")
	for _, want := range []string{"-accel tcg", "systemd.unified_cgroup_hierarchy=1", "ifname=rwtap1",
		"append=on,path=/console.log"} {
		if !strings.Contains(args, want) {
			t.Errorf("qemu is run without %q: %s", want, args)
		}
	}
}

func TestOnlyAnEmulatedMachineHasAPowerButton(t *testing.T) {
	m := &Machine{Name: "n1", Init: 4711}
	if err := m.Cycle(t.Context(), PowerCut, ""); err == nil || !strings.HasPrefix(err.Error(), "power cut of node n1:") {
		t.Errorf("error = %v", err)
	}
}

func TestTheRuntimeIsReachedByKind(t *testing.T) {
	m := anEmulated(t)
	if got, want := m.RuntimeEndpoint(), "unix://"+m.Root+".sock"; got != want {
		t.Errorf("emulated: %s", got)
	}
	if got := (&Machine{Init: 4711}).RuntimeEndpoint(); got != "unix:///proc/4711/root/run/containerd/containerd.sock" {
		t.Errorf("namespaced: %s", got)
	}
}

func TestAttachKnowsTheKind(t *testing.T) {
	m := anEmulated(t)
	if err := m.book.Update(func(b *ledger.Book) {
		b.Nodes = []ledger.Node{{Name: "n1", Kind: string(Emulated), Index: 1, Init: 42}}
	}); err != nil {
		t.Fatal(err)
	}
	if got, err := Attach(m.book, "/run", "n1"); err != nil || got.Kind != Emulated {
		t.Errorf("= %+v, %v", got, err)
	}
}

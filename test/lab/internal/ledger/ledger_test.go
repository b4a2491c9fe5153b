package ledger

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLedgerKeepsWhatWasWrittenForTheNextProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab", "state.json")
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := Book{
		Processes: []Process{{Name: "etcd", PID: 12, StartTicks: 99}},
		Nodes:     []Node{{Name: "n1", Index: 1, Version: "v1.20.15"}},
		Links:     []string{"br"},
		Cgroups:   []string{"lab-n1"},
		Sysctls:   map[string]string{"kernel/panic": "0"},
	}
	if err := first.Update(func(b *Book) { *b = want }); err != nil {
		t.Fatal(err)
	}
	if err := first.UpdateNode("n1", func(n *Node) { n.Init = 4711 }); err != nil {
		t.Fatal(err)
	}
	want.Nodes[0].Init = 4711

	second, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, second.Book()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOpenRefusesAFileThatIsNoLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), "read lab state") {
		t.Errorf("error = %v", err)
	}
}

func TestBookIsACopy(t *testing.T) {
	l, err := Open(filepath.Join(t.TempDir(), "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Update(func(b *Book) { b.Nodes = []Node{{Name: "n1"}} }); err != nil {
		t.Fatal(err)
	}
	l.Book().Nodes[0].Name = "changed"
	if got := l.Book().Nodes[0].Name; got != "n1" {
		t.Errorf("a copy changed the ledger: %s", got)
	}
}

func TestConcurrentUpdatesAllStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(path) // as another process would
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			to := []*Ledger{l, other}[i%2]
			if err := to.Update(func(b *Book) { b.Links = append(b.Links, strconv.Itoa(i)) }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(again.Book().Links); got != 20 {
		t.Errorf("%d of 20 updates are on disk", got)
	}
}

func TestParseStat(t *testing.T) {
	const base = "4711 (kubelet) S 1 4711 4711 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 12 0 123456 7 8"
	tests := []struct {
		name, line string
		ticks      uint64
		state      byte
		fails      bool
	}{
		{"a plain line", base, 123456, 'S', false},
		{"a name with spaces and parentheses", strings.Replace(base, "kubelet", "a) Z (b", 1), 123456, 'S', false},
		{"a zombie", strings.Replace(base, ") S", ") Z", 1), 123456, 'Z', false},
		{"a line that is cut short", base[:40], 0, 0, true},
		{"an empty line", "", 0, 0, true},
		{"a start time that is no number", strings.Replace(base, "123456", "x", 1), 0, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ticks, state, err := parseStat(tt.line)
			if (err != nil) != tt.fails || ticks != tt.ticks || state != tt.state {
				t.Errorf("= %d %c %v", ticks, state, err)
			}
		})
	}
}

// sleeper starts a real process and reaps it, so that its exit is visible.
func sleeper(t *testing.T) Process {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-done })
	p, err := Identify("sleep", cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEndEndsTheProcess(t *testing.T) {
	p := sleeper(t)
	if !p.Alive() {
		t.Fatal("not alive after its start")
	}
	if err := p.End(context.Background(), 5*time.Second, syscall.SIGTERM, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if p.Alive() {
		t.Error("alive after its end")
	}
	if err := p.End(context.Background(), time.Second, syscall.SIGKILL); err != nil {
		t.Errorf("ending it twice: %v", err)
	}
}

func TestEndLeavesAProcessAloneThatOnlyHasTheSameID(t *testing.T) {
	running := sleeper(t)
	recorded := running
	recorded.StartTicks-- // the process that was recorded started earlier
	if err := recorded.End(context.Background(), time.Second, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !running.Alive() {
		t.Error("a process was killed that the ledger does not name")
	}
}

func TestEndSaysWhenAProcessStays(t *testing.T) {
	p := sleeper(t)
	err := p.End(context.Background(), 60*time.Millisecond, syscall.SIGCONT)
	if err == nil || !strings.Contains(err.Error(), "still running") {
		t.Errorf("error = %v", err)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("4711 (kubelet) S 1 4711 4711 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 12 0 123456 7 8")
	f.Add("1 (a) b) (c) Z")
	f.Add(") ) )")
	f.Fuzz(func(t *testing.T, line string) {
		ticks, state, err := parseStat(line)
		if err != nil && (ticks != 0 || state != 0) {
			t.Errorf("an error with a result: %d %c", ticks, state)
		}
	})
}

package machine

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// TestAWrittenProgramCanBeStartedAtOnce starts other programs all the while, as the collection from several nodes does.
func TestAWrittenProgramCanBeStartedAtOnce(t *testing.T) {
	const program, rounds = "/bin/true", 300
	content, err := os.ReadFile(program)
	if err != nil {
		t.Skipf("no program to copy: %v", err)
	}
	var others sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = exec.Command(program).Run()
				}
			}
		})
	}
	defer others.Wait()
	defer close(stop)
	root := t.TempDir()
	for range rounds {
		if err := writeBelow(root, "bin/tool", content, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := exec.Command(filepath.Join(root, "bin/tool")).Run(); err != nil {
			t.Fatal(err)
		}
	}
}

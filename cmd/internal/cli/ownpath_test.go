package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// A log whose times say neither year nor zone is read with a gap that names it.
const zonelessLog = "I0301 12:00:00.123456      80 server.go:1] \"Kubelet version\" kubeletVersion=\"v1.30.1\"\n"

func TestGapsNameThePathThatTheUserHas(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "kubelet.log")
	if err := os.WriteFile(file, []byte(zonelessLog), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, input := range map[string]string{"a file": file, "a directory": dir} {
		_, errOut, code := run(t, "analyze", "-v", input)
		if code != command.ExitDone || !strings.Contains(errOut, ": read "+file+": its times") ||
			strings.Contains(errOut, "nodes/") {
			t.Errorf("%s: exit code %d: %s", name, code, errOut)
		}
	}
}

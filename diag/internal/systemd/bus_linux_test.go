package systemd

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

func TestASocketThatNeverAnswersDoesNotHoldUs(t *testing.T) {
	root, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	if err := os.MkdirAll(filepath.Join(root, "run/dbus"), 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(root, "run/dbus/system_bus_socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	elapsed := clock.Stopwatch()
	pieces, gaps := New(Options{Node: "n1", Root: root, Timeout: 50 * time.Millisecond}).Collect(context.Background())
	if len(pieces) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "connect to systemd") {
		t.Errorf("pieces %v, gaps %+v", pieces, gaps)
	}
	if took := elapsed(); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestWithoutSocketsBothAreNamed(t *testing.T) {
	_, err := dial(context.Background(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "system_bus_socket") ||
		!strings.Contains(err.Error(), "systemd/private") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

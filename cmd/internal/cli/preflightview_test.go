package cli

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

func TestPreflightAsPlainText(t *testing.T) {
	out, errOut, code := foretold(t, "--to", "v1.30", "--plain")
	if code != command.ExitDone {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	for _, want := range []string{"Replacing kubelets with v1.30: 10 of 22 containers would restart",
		"Node findings", "restarts hash-kubelet-upgrade", "Assumed"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if _, errOut, code := foretold(t, "--to", "v1.30", "--plain", "-o", "wide"); code != command.ExitUsage ||
		!strings.Contains(errOut, "choose one") {
		t.Errorf("two formats: exit code %d: %s", code, errOut)
	}
	if out, _, code := foretold(t, "--to", "v1.30", "--plain", "--fail-on", "restart"); code != command.ExitMatched ||
		!strings.HasPrefix(out, "Replacing kubelets with v1.30") {
		t.Errorf("as a gate: exit code %d: %.60s", code, out)
	}
}

// Where no person is at both ends the table is printed, whatever the flags of the viewer say.
func TestPreflightWithoutATerminalIsText(t *testing.T) {
	want, _, _ := foretold(t, "--to", "v1.30")
	for _, flag := range []string{"--no-tui", "--mouse", "--no-color"} {
		if out, errOut, code := foretold(t, "--to", "v1.30", flag); code != command.ExitDone || out != want {
			t.Errorf("%s: exit code %d: %s", flag, code, errOut)
		}
	}
}

func TestNothingHostileReachesAPlainPreflight(t *testing.T) {
	out, errOut, code := run(t, "preflight", "--to", "v1.30", "--from", hostileBundle(t), "--plain")
	if code != command.ExitDone || !strings.Contains(out, "web") {
		t.Fatalf("exit code %d: %s%s", code, out, errOut)
	}
	if found := steering(out + errOut); found != "" {
		t.Error(found)
	}
}

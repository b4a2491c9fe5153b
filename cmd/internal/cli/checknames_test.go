package cli

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// Nothing found of what is not there would be taken for good news.
func TestAPodOrNodeThatARecordingDoesNotKnowIsAnError(t *testing.T) {
	dir := tree{"pods.json": apiPods("n1")}.dir(t)
	const none = ": the recording has none of that name"
	tests := map[string]struct {
		args string
		code int
		errs string
	}{
		"a pod that is there": {"web-0 --from " + dir, command.ExitDone, ""},
		"a pod that is not":   {"wbe-0 --from " + dir, command.ExitError, "find pod wbe-0" + none},
		"its hint":            {"wbe-0 --from " + dir, command.ExitError, "hint: did you mean web-0?"},
		"a node that is not":  {"node n7 --from " + dir, command.ExitError, "find node n7" + none},
		"a container that is not": {"-c nope --from " + dir, command.ExitError,
			"find container nope: no pod of the recording"},
		"a namespace that is not": {"-n nope --from " + dir, command.ExitError, "find namespace nope" + none},
		"a workload that is not": {"deploy/nope --from " + dir, command.ExitError,
			"find deployment/nope: no pod of the recording belongs"},
		"a prediction of a pod that is not": {"preflight --to v1.37 nope --from " + dir, command.ExitError,
			"predict restarts: the recording has no running pod that was asked for (1 in all)"},
		"a prediction without pods": {"preflight --to v1.37 --from " + tree{"kubelet.log": zonelessLog}.dir(t),
			command.ExitError, "predict restarts: the recording has no pods"},
		"a command that is mistyped": {"anlyze --from " + dir, command.ExitError,
			"error: unknown command or pod \"anlyze\": did you mean kubectl restartwhy analyze?\nhint: as the name of a pod: "},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			_, errs, code := run(t, strings.Fields(c.args)...)
			if code != c.code || !strings.Contains(errs, c.errs) {
				t.Errorf("exit code %d: %s\nwant %d with %q", code, errs, c.code, c.errs)
			}
		})
	}
}

package cli

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// Pieces of outputs are read by what each of their lines says of the others.
func TestPiecesAreReadAsAWhole(t *testing.T) {
	const (
		backOff = `  Warning  BackOff  2s (x3 over 27s)  kubelet  Back-off restarting failed container api in pod ` +
			`api-5f5d8c4b7-zz9lp_backend(0a6a1b8d-2f6b-4a57-9e0c-6c0a5f7a3c11)` + "\n"
		refused = `  Warning  Failed   12s (x3 over 28s)  kubelet  Error: failed to create containerd task: OCI runtime create ` +
			`failed: exec: "gunicorn": executable file not found in $PATH: unknown` + "\n"
		kill = `I0217 11:20:29.300000    1423 kuberuntime_container.go:808] "Killing container with a grace period" ` +
			`pod="db/pg-0" podUID="6f1c2d3e-4b5a-6978-8796-a5b4c3d2e1f0" containerName="postgres" containerID=` +
			`"containerd://d34db33fd34db33fd34db33fd34db33fd34db33fd34db33fd34db33fd34db33f" gracePeriod=2` + "\n"
		evicted = `I0217 11:20:31.554400    1423 eviction_manager.go:598] ` +
			`"Eviction manager: pod is evicted successfully" pod="db/pg-0"` + "\n"
		reclaim = `W0217 11:20:29.100000    1423 eviction_manager.go:349] ` +
			`"Eviction manager: attempting to reclaim" resourceName="ephemeral-storage"` + "\n"
	)
	for name, c := range map[string]struct{ text, want string }{
		"events whose pod one of them names":     {refused + backOff, "backend/api-5f5d8c4b7-zz9lp/api start-error likely"},
		"an eviction, and not for what":          {kill + evicted, "db/pg-0/postgres evicted-memory possible"},
		"what it was for, searched for in a log": {reclaim + kill + evicted, "db/pg-0/postgres evicted-disk likely"},
	} {
		t.Run(name, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(c.text)
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o", `jsonpath={range .items[*]}` +
				`{.namespace}/{.pod}/{.container} {.verdict.cause} {.verdict.confidence}{end}`})
			if code != command.ExitDone || strings.TrimSpace(out.String()) != c.want {
				t.Errorf("%q, want %q (%d, %s)", out, c.want, code, errs)
			}
		})
	}
}

// Lines of a container in a page do not make the page a container's output; a file of another kind may be.
func TestAPageIsAPersons(t *testing.T) {
	const bye = "app | 2018-01-23T05:48:09.717443178Z | I0123 05:48:09.717340 5 main.go:55] bye\n"
	text := "Pod having issues\n`Killing container with id docker://app:Container failed liveness probe.. Container will be " +
		"killed and recreated.`\n\n" + bye
	for name, want := range map[string]int{"issue.md": 1, "app.log": 0} {
		if v := analysed(t, "", tree{name: text, "rest": strings.Repeat(bye, 3)}.dir(t)); len(v.counts) != want {
			t.Errorf("%s: %v, want %d", name, v.counts, want)
		}
	}
}

package kubeletlog

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
)

// A bundle holds lines without secrets: they say what they said with them.
func TestLinesSayTheSameWithoutSecrets(t *testing.T) {
	const probe = now + `"Probe errored" err="rpc error: code = DeadlineExceeded desc = failed to exec in container: command ` +
		`[sh -c [ -f x ] && redis-cli -a \"canary1\" ping] timed out" probeType="Liveness" pod="s-n5/p" podUID="` + uid +
		`" containerName="a" probeResult="unknown"`
	cases := append(append([]lineCase{}, oldLines...), newLines...)
	if len(read(probe)) == 0 {
		t.Fatal("nothing is read of the probe's line")
	}
	for _, c := range append(cases, lineCase{"a probe's command", probe, nil}) {
		clear := secrets.Text(c.line)
		if diff := cmp.Diff(subjects(read(c.line)), subjects(read(clear))); diff != "" {
			t.Errorf("%s: %q\n%s", c.name, clear, diff)
		}
	}
}

// subjects are whom statements are about, and of what kind they are.
func subjects(all []said) (out []string) {
	for _, s := range all {
		out = append(out, fmt.Sprintf("%+v %T", s.Subject, s.Fact))
	}
	return out
}

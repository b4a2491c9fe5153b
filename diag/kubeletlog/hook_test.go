package kubeletlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAFailedHookIsToldOnce(t *testing.T) {
	hook := from(1, "x.go",
		`"Failed to execute PostStartHook" err="e" pod="s/p" podUID="u" containerName="a" containerID="containerd://c"`)
	sync := from(1, "pod_workers.go",
		`"Error syncing pod, skipping" err="failed to \"StartContainer\" for \"a\" with PostStartHookError: \"e\"" pod="s/p" podUID="u"`)
	count := func(lines ...string) (n int) {
		for _, o := range feed(&Parser{Known: true}, lines...) {
			if f, ok := o.Fact.(evidence.HookFailed); ok && !f.CalledOff {
				n++
			}
		}
		return n
	}
	if got := count(hook, sync); got != 1 {
		t.Errorf("1.22+: told %d times", got)
	}
	const off = "rpc error: code = Canceled desc = context canceled"
	calledOff := strings.NewReplacer(`err="e"`, `err="`+off+`"`, `\"e\"`, `\"`+off+`\"`)
	if got := count(calledOff.Replace(hook), calledOff.Replace(sync)); got != 0 {
		t.Errorf("called off by the kubelet: told %d times", got)
	}
	if got := count(sync); got != 1 {
		t.Errorf("1.21, without a line of its own: told %d times", got)
	}
}

func TestAFailedHookOfOldKubeletsIsOfItsContainer(t *testing.T) {
	const kill = `Killing container "c a s/p" with 30 second grace period`
	for name, tt := range map[string]struct {
		lines []string
		want  evidence.Subject
	}{
		"1.1, a line without a name beside a kill": {lines: []string{
			"PostStart handler: Error executing in Docker Container: 2", kill}},
		"1.1 start": {lines: []string{
			`Error running pod "p_s" container "a": failed to call event handler: Error executing in Docker Container: 2`},
			want: evidence.Subject{Namespace: "s", Pod: "p", Container: "a"}},
		"1.2 start": {lines: []string{
			`Error running pod "p_s(u)" container "a": PostStart handler: Error executing in Docker Container: 2`},
			want: evidence.Subject{Namespace: "s", Pod: "p", PodUID: "u", Container: "a"}},
		"1.2 start that failed otherwise": {lines: []string{
			`Error running pod "p_s(u)" container "a": no such image, not a PostStart handler: x`}},
		"1.3-1.6 sync": {lines: []string{`Error syncing pod u, skipping: failed to "StartContainer" for "a" with ` +
			`RunContainerError: "PostStart handler: Error executing in Docker Container: 2"`},
			want: evidence.Subject{PodUID: "u", Container: "a"}},
		"1.7 sync": {lines: []string{`Error syncing pod u ("p_s(u)"), skipping: failed to "StartContainer" for "a" with ` +
			`PostStart handler: command 'x' exited with 2: : "PostStart Hook Failed"`},
			want: evidence.Subject{Namespace: "s", Pod: "p", PodUID: "u", Container: "a"}},
		"1.2 sync of another failure": {lines: []string{`Error syncing pod u, skipping: failed to "StartContainer" for "a" ` +
			`with RunContainerError: "API error (500): PostStart handler: x"`}},
	} {
		t.Run(name, func(t *testing.T) {
			var got evidence.Subject
			var lines []string
			for _, l := range tt.lines {
				lines = append(lines, from(1, "manager.go", l))
			}
			for _, o := range feed(&Parser{Known: true}, lines...) {
				if _, ok := o.Fact.(evidence.HookFailed); ok {
					got = o.Subject
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

package excerpt

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/typed"
)

// What nobody types costs no more than its length. Each of these took longer than any test may, or the stack.
func TestHostileLinesCostLittle(t *testing.T) {
	const n = 300_000
	a := strings.Repeat("a", 64)
	for name, text := range map[string]string{
		"commands that run commands": "$ " + strings.Repeat("ssh a ", n),
		"commands in containers":     "$ x " + strings.Repeat("-- docker ", n),
		"a map without an end":       "state: map[terminated:map[" + strings.Repeat("a:1 ", n),
		"documents, one a line":      strings.Repeat("{\"message\":\"x\"}\n", n/3),
		"lines of one width":         "  Note: " + a[8:] + strings.Repeat("\n"+a, n/6),
		"maps within maps":           "state: map[terminated:map[" + strings.Repeat("a:map[", n),
	} {
		t.Run(name, func(*testing.T) { Read(text, "x", describe.Place{}, time.Time{}) })
	}
}

func TestCommandsWithinCommands(t *testing.T) {
	c, ok := typed.Of("$ ssh bastion ssh core@n2 sudo docker exec kind-worker crictl ps -a")
	if !ok || c.Program != "crictl" {
		t.Errorf("%+v, %v", c, ok)
	}
}

// Labels of an image stand beside what dockerd says, and look like it: then it is not known which is whose.
func TestDockerEventsBelieveNoLabels(t *testing.T) {
	const of, name = "2024-03-05T10:21:00Z container die ", "k8s_app_web-0_shop_0_0"
	id := strings.Repeat("a", 64)
	for attributes, told := range map[string]bool{
		"exitCode=1, image=x, name=" + name:                                                  true,
		"exitCode=1, image=x, label=y, name=k8s_victim_web-0_shop_0_0, name=" + name:         false,
		"a=b, exitCode=0, exitCode=137, image=x, name=" + name:                               false,
		"exitCode=1, image=x, name=" + name + ", z=, name=k8s_victim_web-0_shop_0_0, last=x": false,
	} {
		p := Part{Kind: Stream, Lines: []string{of + id + " (" + attributes + ")"}}
		if got, _, _ := p.dockerEvents(describe.Place{}); (got != "") != told {
			t.Errorf("%s: %q", attributes, got)
		}
	}
}

package mention

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// These tests are about which pod a text means.

func TestAnEndWithoutANameIsOfTheOnlyPodBesideIt(t *testing.T) {
	const kill = "[  941.120101] java invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=984\n"
	for texts, want := range map[[2]string]string{
		{"kind: Pod\nmetadata:\n  name: cart-0\n  namespace: shop\n"}:                        `"cart-0"`,
		{"Name:         cart-0\nNamespace:    shop\nContainers:\n"}:                          `"cart-0"`,
		{"Name:         cart-0\nNamespace:    shop\n", "the pod web-0 runs\n"}:               `"?"`,
		{"apiVersion: v1\nkind: Service\nmetadata:\n  name: cart\n"}:                         `"?"`,
		{"kind: Pod\nmetadata:\n  name: cart-0\nspec:\n  volumes:\n  - name: data\n", "a\n"}: `"cart-0"`,
	} {
		var only naming.Text
		for _, text := range texts {
			only.Add(text)
		}
		got := string(bytes.Join(rawOf(Of(kill, "dmesg", printed).Read(only.Only(), false)), nil))
		if !strings.Contains(got, want) || !strings.Contains(got, "OOMKilled") {
			t.Errorf("%q: %s", texts, got)
		}
	}
}

// A name that begins another one is that of its controller only where the rest was drawn.
func TestOnlyADrawnRestMakesAControllersName(t *testing.T) {
	for text, want := range map[string]string{
		"The pod cart-app keeps restarting.\npod=cart-app-7f9c6d5b8-x2l5k is ready": `"cart-app-7f9c6d5b8-x2l5k"`,
		"The pod cart-app keeps restarting.\npod=cart-app-2 is ready":               `"cart-app-2"`,
		"pod=redis OOMKilled\npod=redis-exporter-0 is ready":                        `"redis"`,
		"pod=db-1 OOMKilled\npod=db-1-backup is ready":                              `"db-1"`,
		"The pod db-1 keeps restarting.\npod=db-1-backup is ready":                  `"db-1"`,
	} {
		if got := read(text, "notes.txt"); !strings.Contains(got, `"name":`+want) {
			t.Errorf("%q: no %s in %s", text, want, got)
		}
	}
}

// A container that is named beside one pod belongs to that pod and to its controller's others.
func TestAContainerIsOfItsPod(t *testing.T) {
	const said = "Error: container has runAsNonRoot and image will run as root " +
		"(pod: \"cart-5dbd46fcf5-zsbn4_shop(d5a40aa3)\", container: main)\n"
	for pod, want := range map[string]string{
		"cart-5dbd46fcf5-x2l5k":     `"name":"main"`,
		"cart-7f9c6d5b8-x2l5k":      `"name":"main"`,
		"watcher-6d9cf9d776-mbb5c":  `"name":"?"`,
		"cart-api-6d9cf9d776-mbb5c": `"name":"?"`,
	} {
		raw := rawOf(Of(pod+"   0/1   CreateContainerConfigError   0   8m\n\n"+said, "a.txt", time.Time{}).
			Read(naming.Names{}, true))
		for _, r := range raw {
			if s := string(r); strings.Contains(s, `"name":"`+pod+`"`) && !strings.Contains(s, want) {
				t.Errorf("%s: no %s in %s", pod, want, s)
			}
		}
		if len(raw) == 0 {
			t.Errorf("%s: nothing", pod)
		}
	}
}

func TestNodesAreNoPods(t *testing.T) {
	for _, text := range []string{
		"All pods on node cart-b6j7g keep restarting.",
		"All pods keep restarting: volume \"cart-b6j7g\" is full.",
		"All pods keep restarting on the cart-b6j7g machine.",
		"All pods keep restarting, it began on shop-md-0-b6j7g yesterday.",
		"All pods keep restarting, it began on gke-shop-b6j7g yesterday.",
		"all pods OOMKilled\nlog: cannot create log: open /tmp/trust.worker-1.root.log.INFO.20200610-195916.1",
	} {
		if got := read(text, "notes.txt"); !strings.Contains(got, `"name":"?"`) {
			t.Errorf("%q: a node is a pod in %s", text, got)
		}
	}
}

// Of several pods without a name each has its own end.
func TestTheOtherPodIsOneMore(t *testing.T) {
	for text, want := range map[string]int{
		"pods of prod: one was OOMKilled (exit code 137).\nAnother container exited with code 1.":   2,
		"two pods keep restarting: one with exit code 1, the other with exit code 139":              2,
		"two pods: cart-0 was OOMKilled, the other one exits with code 1 every time":                2,
		"The pod ends with exit code 137. On the other hand, in the other cluster it is well.":      1,
		"The pod ends with exit code 137. Another thing is that the exit code was 137 before, too.": 1,
	} {
		if got := rawOf(Of(text, "said.txt", printed).Read(naming.Names{}, true)); len(got) != want {
			t.Errorf("%q tells %s, want %d", text, bytes.Join(got, nil), want)
		}
	}
}

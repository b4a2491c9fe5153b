package mention

import (
	"strings"
	"testing"
)

func TestACodeIsReadBesideItsReason(t *testing.T) {
	for text, want := range map[string]string{
		"pod cart-0 of ns=shop reason=Error exit=143": `"exitCode":143`,
		"pod shop/cart-0: last state 137 OOMKilled":   `"exitCode":137`,
		`10.5.0.2: user: warning: [2025-12-31T13:36:54.2Z]: [talos] Sending SIGKILL to cgroup {"cgroup": "/sys/fs/cgroup/kubepods/burstable/podacb3"}`: `"OOMKilled"`,
		"pod shop/cart-0: OOMKilled (137)":                         `"exitCode":137`,
		"the pod cart-0 exits with code 3":                         `"exitCode":3`,
		"pod cart-0 exited with non-zero status code 3":            `"exitCode":3`,
		"the pod cart-0 exited abnormally with code 3":             `"exitCode":3`,
		"the container of pod cart-0 terminated with status 3":     `"exitCode":3`,
		"Exit Code: 3, Exit Message: \"Docker container exited.\"": `"exitCode":3`,
		"pod cart-0 in back-off, exit code is 3":                   `"exitCode":3`,
	} {
		if got := read(text, "said.txt"); !strings.Contains(got, want) {
			t.Errorf("%q tells %s, want %s", text, got, want)
		}
	}
}

package mention

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// A log's lines are independent of each other: what one says of an id is not about the pod that another one names, in
// whatever field of a record the lines stand.
func TestALineOfALogIsNotAboutThePodOfAnother(t *testing.T) {
	const (
		named = `I1120 08:00:23.455336    1735 kubelet.go:2439] "SyncLoop ADD" source="api" pods=["other/steady-0"]`
		ended = `I1120 08:05:26.116121    1735 generic.go:334] "Generic (PLEG): container finished" podID="a00c5b90" ` +
			`exitCode=1`
		both = `I1120 08:00:20.000000    1735 kubelet.go:2439] "SyncLoop ADD" source="api" pods=["shop/web-0"]`
	)
	for name, form := range map[string]string{
		"as it is":              "$\n",
		"an export":             "_PID=1735\nMESSAGE=$\n\n",
		"CloudWatch's":          "  {\n   \"timestamp\": 1,\n   \"message\": \"$\",\n  },\n",
		"a collector's":         "{\n  \"log\": \"$\"\n}\n",
		"Cloud Logging's":       "- textPayload: $\n",
		"Splunk's, as a record": "{\n \"_raw\": \"$\"\n}\n",
	} {
		var text strings.Builder
		for _, line := range []string{both, named, ended} {
			text.WriteString(strings.ReplaceAll(form, "$", line))
		}
		for _, raw := range Of(text.String(), "kubelet.txt", printed).Read(naming.Names{}, false) {
			if strings.Contains(string(raw), `"name":"steady-0"`) {
				t.Errorf("%s: %s", name, raw)
			}
		}
	}
}

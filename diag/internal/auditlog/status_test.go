package auditlog

import (
	"strings"
	"testing"
)

// A kubelet's report of a restart is a pod with that container alone. Of what only ended, as with every deletion, of
// others' requests and of refused ones there is none.
func TestReportsOfRestarts(t *testing.T) {
	const base = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"a","stage":"ResponseComplete",` +
		`"verb":"patch",` +
		`"user":{"username":"system:node:n1"},"objectRef":{"resource":"pods","namespace":"shop","name":"web-0",` +
		`"subresource":"status"},"requestObject":{"status":{"containerStatuses":[{"name":"app","lastState":{"terminated":` +
		`{"exitCode":137}}},{"name":"side","state":{"terminated":{"exitCode":143}},"lastState":{}}]}},` +
		`"responseStatus":{"code":200}}`
	for name, c := range map[string]struct {
		old, new string
		want     bool
	}{
		"a restart":          {"", "", true},
		"an end":             {`"lastState":{"terminated"`, `"lastState":{},"state":{"terminated"`, false},
		"a refused request":  {`"code":200`, `"code":409`, false},
		"another sender":     {"system:node:n1", "system:serviceaccount:x:y", false},
		"another request":    {`"subresource":"status"`, `"subresource":""`, false},
		"another stage":      {"ResponseComplete", "RequestReceived", false},
		"a body of patches":  {`{"status":{`, `[{"status":{`, false},
		"a list that is one": {`"containerStatuses":[`, `"containerStatuses":7,"x":[`, false},
	} {
		got := string(Restarted([]byte(strings.Replace(base, c.old, c.new, 1))))
		if (got != "") != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if c.want && (!strings.Contains(got, `"uid":"described/row/shop/web-0"`) || strings.Contains(got, "side")) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

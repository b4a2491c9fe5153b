package command

import (
	"strings"
	"testing"
)

func TestTargetsAreReadAsKubectlReadsThem(t *testing.T) {
	cases := map[string]string{
		"web-0":                  "pod/web-0",
		"pod/web-0 po/web-0":     "pod/web-0",
		"deploy/web sts/db":      "deployment/web statefulset/db",
		"Deployments.apps/web":   "deployment/web",
		"pods web-0 web-1":       "pod/web-0 pod/web-1",
		"cj backup":              "cronjob/backup",
		"deploy":                 "pod/deploy", // alone it is a pod's name
		"ds/agent rs/x job/once": "daemonset/agent replicaset/x job/once",
		"":                       "",
		"pods":                   "", // all of them
		"svc/front Services/b":   "service/front service/b",
	}
	for in, want := range cases {
		got, _, err := ParseTargets(strings.Fields(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
		}
		var all []string
		for _, g := range got {
			all = append(all, g.String())
		}
		if strings.Join(all, " ") != want {
			t.Errorf("%q → %v, want %s", in, all, want)
		}
	}
}

func TestNodesAreAScopeOfTheirOwn(t *testing.T) {
	for in, want := range map[string]string{
		"node/n2 no/n1 nodes/n1": "n1 n2", "node n1": "n1", "nodes n2 n1": "n1 n2", "node": "", "pod/node": "",
	} {
		_, nodes, err := ParseTargets(strings.Fields(in))
		if err != nil || strings.Join(nodes, " ") != want {
			t.Errorf("%q → %v, %v, want %s", in, nodes, err, want)
		}
	}
}

func TestWrongTargetsAreUsageErrors(t *testing.T) {
	for in, want := range map[string]string{
		"shop/web-0": "unknown type", "pod/": "want POD or TYPE/NAME", "pod/a/b": "want POD or TYPE/NAME",
		"/x": "unknown type",
	} {
		_, _, err := ParseTargets([]string{in})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
		if fs := within[*failure](err); len(fs) == 0 || fs[0].code != ExitUsage && fs[len(fs)-1].code != ExitUsage {
			t.Errorf("%q is no usage error", in)
		}
	}
}

package podname_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
)

func TestPodsAreToldByTheShapeOfTheirNames(t *testing.T) {
	for text, want := range map[string][]podname.Named{
		"the pod `web-7f9c6d5b8-x2l5k`, on EKS":                  {{Name: "web-7f9c6d5b8-x2l5k"}},
		"shop/web-7f9c6d5b8-x2l5k and web-7f9c6d5b8-x2l5k":       {{"shop", "web-7f9c6d5b8-x2l5k"}, {"", "web-7f9c6d5b8-x2l5k"}},
		"Name:web-7f9c6d5b8-x2l5k.17a71c1a2b6f04ea":              {{Name: "web-7f9c6d5b8-x2l5k"}},
		"pods/web-7f9c6d5b8-x2l5k":                               {{Name: "web-7f9c6d5b8-x2l5k"}},
		"backup-28301234-x7k2p of a CronJob":                     {{Name: "backup-28301234-x7k2p"}},
		"web-3271054034-0c18z before 1.8":                        {{Name: "web-3271054034-0c18z"}},
		"registry.example/web-7f9c6d5b8-x2l5k":                   {{Name: "web-7f9c6d5b8-x2l5k"}},
		"ReplicaSet web-7f9c6d5b8, StatefulSet web-0, 7f9c6d5b8": nil,
		"a well-known back-pressure problem, at-least-once":      nil,
		"6c0d9a6e-0a54-4c68-ae8b-7a2bb0a6a8f1":                   nil,
		"2024-05-02 10:11:12, 10.0.0.1, v1.29.1-gke.1589":        nil,
		"": nil,
	} {
		if d := cmp.Diff(want, podname.Replicas(text)); d != "" {
			t.Errorf("%q: -want +got:\n%s", text, d)
		}
	}
}

func FuzzReplicas(f *testing.F) {
	f.Add("shop/web-7f9c6d5b8-x2l5k.17a71c1a2b6f04ea")
	f.Add("-.-7f9c6d5b8-x2l5k")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range podname.Replicas(text) {
			if !strings.Contains(text, p.Name) || len(p.Name) < 15 || len(p.Namespace) > 63 {
				t.Fatalf("%q: %+v", text, p)
			}
		}
	})
}

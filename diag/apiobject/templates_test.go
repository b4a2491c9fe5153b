package apiobject

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Pods whose containers are the same have them once, whatever the pods are called and whatever was redacted.
func TestPodsOfOneTemplateShareTheirContainers(t *testing.T) {
	pod := func(name, secret, image string) string {
		return `{"kind":"Pod","metadata":{"name":"` + name + `","uid":"` + name + `"},"spec":{"initContainers":[{"name":"i"}],
			"containers":[{"name":"a","image":"` + image + `","env":[{"name":"A","value":"` + secret + `"}],
			"resources":{"limits":{"memory":"1Gi","cpu":"100m"}}}]}}`
	}
	p := Decode([]evidence.File{evidence.Bytes("x.json", []byte(`{"kind":"List","items":[`+
		pod("web-0", "x", "web:1")+","+pod("web-1", "y", "web:1")+","+pod("web-2", "x", "web:2")+`]}`))}, Hasher{})
	if len(p.Pods) != 3 {
		t.Fatalf("%d pods", len(p.Pods))
	}
	one, two, other := &p.Pods[0].Spec, &p.Pods[1].Spec, &p.Pods[2].Spec
	if &one.Containers[0] != &two.Containers[0] || &one.InitContainers[0] != &two.InitContainers[0] {
		t.Error("equal containers are kept twice")
	}
	if &one.Containers[0] == &other.Containers[0] || other.Containers[0].Image != "web:2" {
		t.Error("other containers are taken for the same")
	}
	if d := cmp.Diff(one.Containers[0].Resources, other.Containers[0].Resources); d != "" {
		t.Error(d)
	}
}

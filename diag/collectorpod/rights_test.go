package collectorpod

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/access"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// What the code really sends is what the roles grant, no less and no more.
func TestTheRightsAreThoseThatAreUsed(t *testing.T) {
	c := newCluster(t)
	c.lacks = []string{"/var/log/journal"}
	if _, err := Sweep(t.Context(), kubetest.Client(c), DefaultNamespace, t0); err != nil {
		t.Fatal(err)
	}
	c.collect(t.Context(), Options{Grants: Grants()})
	c.attached = func(context.Context, io.Reader, io.Writer, io.Writer) error { return errors.New("broken") }
	c.collect(t.Context(), Options{})
	used := map[string]bool{}
	for _, a := range c.Actions() {
		resource := access.Right{Group: a.GetResource().Group, Resource: a.GetResource().Resource}.String()
		used[a.GetVerb()+" "+resource] = true
		if a.GetResource().Resource != "nodes" && a.GetNamespace() != DefaultNamespace {
			t.Errorf("%s %s in namespace %q", a.GetVerb(), resource, a.GetNamespace())
		}
	}
	used["create pods/attach"], used["get pods/attach"] = true, true // over a connection of its own
	granted := map[string]bool{"get nodes": true}                    // of tier 0
	for _, r := range access.Find(access.Pod).Rights {
		granted[r.Verb+" "+r.String()] = true
	}
	if diff := cmp.Diff(granted, used); diff != "" {
		t.Errorf("-granted +used:\n%s", diff)
	}
	if !slices.ContainsFunc(access.Find(access.Logs).Rights, func(r access.Right) bool {
		return r.Resource == "nodes/proxy"
	}) {
		t.Error("logs come without nodes/proxy")
	}
}

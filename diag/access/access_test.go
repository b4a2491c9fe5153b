package access

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	clienttesting "k8s.io/client-go/testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// role reads the cluster role of a tier from its file.
func role(t *testing.T, tier Tier) rbacv1.ClusterRole {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "rbac", string(tier)+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var found []rbacv1.ClusterRole
	for d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096); ; {
		var r rbacv1.ClusterRole
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if r.Kind == "ClusterRole" {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d cluster roles for %s", len(found), tier)
	}
	return found[0]
}

func TestTheRolesGrantWhatTheStepsNeedAndNothingElse(t *testing.T) {
	for _, tier := range []Tier{Tier0, Tier1, Collector, Metrics, Words} {
		var granted, needed []string
		for _, rule := range role(t, tier).Rules {
			for _, g := range rule.APIGroups {
				for _, r := range rule.Resources {
					for _, v := range rule.Verbs {
						granted = append(granted, v+" "+Right{Group: g, Resource: r}.String())
					}
				}
			}
		}
		for _, s := range Steps() {
			if s.Tier != tier {
				continue
			}
			for _, r := range s.Rights {
				needed = append(needed, r.Verb+" "+r.String())
			}
		}
		slices.Sort(granted)
		slices.Sort(needed)
		if diff := cmp.Diff(slices.Compact(needed), granted); diff != "" {
			t.Errorf("docs/rbac/%s.yaml differs from what the code asks for (-code +file):\n%s", tier, diff)
		}
		if len(granted) == 0 || role(t, tier).Name != "restartwhy-"+string(tier) {
			t.Errorf("role %s of %s grants %v", role(t, tier).Name, tier, granted)
		}
	}
}

// Nothing but the collector pod ever changes anything.
func TestOnlyTheCollectorWrites(t *testing.T) {
	for _, s := range Steps() {
		for _, r := range s.Rights {
			if r.Verb != "get" && r.Verb != "list" && r.Verb != "watch" && s.Tier != Collector {
				t.Errorf("step %s needs %s %s", s.Name, r.Verb, r)
			}
		}
	}
}

func TestEveryStepSaysWhatItIsFor(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Steps() {
		if s.Does == "" || s.Without == "" || s.Source == "" || len(s.Rights) == 0 || seen[s.Name] {
			t.Errorf("step %+v", s)
		}
		seen[s.Name] = true
		if Find(s.Name).Does != s.Does {
			t.Errorf("step %s is not found", s.Name)
		}
	}
	if len(Find("none").Rights) != 0 {
		t.Error("a step that does not exist needs something")
	}
}

// reviewer answers reviews; deny holds "verb resource namespace".
func reviewer(t *testing.T, deny ...string) (*kubetest.Fake, *[]string) {
	t.Helper()
	c := kubetest.NewFake()
	var all []string
	c.PrependReactor("create", "selfsubjectaccessreviews", func(a clienttesting.Action) (bool, runtime.Object, error) {
		review := a.(clienttesting.CreateAction).GetObject().(*authv1.SelfSubjectAccessReview)
		r := review.Spec.ResourceAttributes
		resource := r.Resource
		if r.Subresource != "" {
			resource += "/" + r.Subresource
		}
		q := strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Verb, resource, r.Namespace))
		all = append(all, q)
		review.Status.Allowed = !slices.Contains(deny, q)
		review.Status.Reason = "no role\x1b[31m"
		return true, review, nil
	})
	return c, &all
}

func TestADenialIsAPlainSentenceWithItsCostAndItsRole(t *testing.T) {
	for _, c := range []struct {
		name      string
		q         Review
		deny      []string
		why, hint string
	}{
		{"events in a namespace", Review{Step: Find(Events), Namespace: "shop"}, []string{"list events shop"},
			"this user may not read events in namespace shop: without events, probe failures",
			"kubectl auth can-i list events -n shop; docs/rbac/tier0.yaml is the role"},
		{"events everywhere", Review{Step: Find(Events)}, []string{"list events"},
			"this user may not read events in all namespaces: ", "can-i list events -A;"},
		{"nodes", Review{Step: Find(Nodes), Verbs: []string{"get"}}, []string{"get nodes"},
			"this user may not read nodes: without the node", "needs get nodes; check with: kubectl auth can-i get nodes;"},
		{"logs", Review{Step: Find(Logs)}, []string{"get nodes/proxy"},
			"this user may not read logs through nodes: the kubelet's own log",
			"needs get nodes/proxy; check with: kubectl auth can-i get nodes/proxy; docs/rbac/tier1.yaml"},
		{"a pod", Review{Step: Find(Pod), Namespace: "restartwhy"}, []string{"create jobs restartwhy"},
			"this user may not read nodes through a pod in namespace restartwhy: ",
			"needs create jobs.batch; check with: kubectl auth can-i create jobs.batch -n restartwhy; docs/rbac/collector.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, _ := reviewer(t, c.deny...)
			denials := Ask(t.Context(), kubetest.Client(client), c.q)
			if len(denials) != 1 {
				t.Fatalf("%d denials", len(denials))
			}
			gap := denials[0].Gap()
			if !strings.HasPrefix(gap.Why, c.why) || !strings.Contains(gap.Hint, c.hint) || gap.Source != c.q.Step.Source {
				t.Errorf("%+v", gap)
			}
		})
	}
}

func TestOnlyWhatIsNeededIsAskedFor(t *testing.T) {
	client, asked := reviewer(t)
	if d := Ask(t.Context(), kubetest.Client(client), Review{Step: Find(Pod), Namespace: "n"},
		Review{Step: Find(Nodes), Verbs: []string{"list"}}); d != nil {
		t.Errorf("denials %+v", d)
	}
	got := slices.Clone(*asked)
	slices.Sort(got)
	want := []string{"create jobs n", "create pods n", "create pods/attach n",
		"delete jobs n", "delete pods n", "get pods n", "list nodes"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDenialsKeepTheOrderOfTheQuestions(t *testing.T) {
	client, _ := reviewer(t, "list events", "get nodes", "get nodes/proxy")
	var names []string
	for _, d := range Ask(t.Context(), kubetest.Client(client), Review{Step: Find(Logs)},
		Review{Step: Find(Events)}, Review{Step: Find(Nodes)}) {
		names = append(names, d.Step.Name)
	}
	if got := strings.Join(names, " "); got != "logs events nodes" {
		t.Errorf("denied: %s", got)
	}
}

func TestWhoeverCannotBeAskedIsNotRefused(t *testing.T) {
	client := kubetest.NewFake()
	client.PrependReactor("create", "selfsubjectaccessreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("the server could not find the requested resource")
	})
	if d := Ask(t.Context(), kubetest.Client(client), Review{Step: Find(Pod)}); d != nil {
		t.Errorf("denials %+v", d)
	}
}

package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	authv1 "k8s.io/api/authorization/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Review is a step in one place.
type Review struct {
	Step Task
	// Namespace is where the rights are needed; "" for all namespaces.
	Namespace string
	// Verbs restricts the step to some of its verbs; empty for all.
	Verbs []string
}

// Denial is a step that this user may not perform.
type Denial struct {
	Review
	// Lacks are the missing rights.
	Lacks []Right
}

// Ask checks steps with the API server, all in parallel, and returns those denied, in the order of the questions. If a
// check itself fails, the step counts as allowed: trying it will show.
func Ask(ctx context.Context, client kube.Client, questions ...Review) []Denial {
	denials := make([]Denial, len(questions))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, q := range questions {
		denials[i].Review = q
		for _, right := range q.Step.Rights {
			if right.Spare || !asked(q.Verbs, right.Verb) {
				continue
			}
			wg.Go(func() {
				if ask(ctx, client, q, right) {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				denials[i].Lacks = append(denials[i].Lacks, right)
			})
		}
	}
	wg.Wait()
	var out []Denial
	for _, d := range denials {
		if len(d.Lacks) > 0 {
			out = append(out, d)
		}
	}
	return out
}

func asked(verbs []string, verb string) bool { return len(verbs) == 0 || slices.Contains(verbs, verb) }

func ask(ctx context.Context, client kube.Client, q Review, r Right) (allowed bool) {
	resource, sub, _ := strings.Cut(r.Resource, "/")
	review := &authv1.SelfSubjectAccessReview{Spec: authv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authv1.ResourceAttributes{
			Namespace: q.Namespace, Verb: r.Verb, Group: r.Group, Resource: resource, Subresource: sub,
		}}}
	answer, err := kube.Create(ctx, client, kube.SelfReviews, "", review)
	return err != nil || answer.Status.Allowed
}

// Gap says in plain words what is denied and what that costs.
func (d Denial) Gap() evidence.Gap {
	where := ""
	switch {
	case d.Namespace != "":
		where = " in namespace " + d.Namespace
	case d.Step.Tier == Tier0 && d.Step.Name != Nodes:
		where = " in all namespaces"
	}
	return evidence.Gap{Source: d.Step.Source, Why: fmt.Sprintf("this user may not %s%s: %s",
		d.Step.Does, where, d.Step.Without), Hint: d.hint()}
}

// hint names the rights, a command to check the first one, and the role.
func (d Denial) hint() string {
	var names []string
	for _, r := range d.Lacks {
		names = append(names, r.Verb+" "+r.String())
	}
	first := d.Lacks[0]
	check := "kubectl auth can-i " + first.Verb + " " + first.String()
	switch {
	case d.Namespace != "":
		check += " -n " + d.Namespace
	case d.Step.Tier == Tier0 && d.Step.Name != Nodes:
		check += " -A"
	}
	return fmt.Sprintf("needs %s; check with: %s; docs/rbac/%s.yaml is the role",
		strings.Join(names, ", "), check, d.Step.Tier)
}

// String is the resource as kubectl writes it: jobs.batch, pods/attach.
func (r Right) String() string {
	if r.Group == "" {
		return r.Resource
	}
	resource, sub, found := strings.Cut(r.Resource, "/")
	if found {
		return resource + "." + r.Group + "/" + sub
	}
	return resource + "." + r.Group
}

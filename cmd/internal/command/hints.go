package command

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// hintTime is how long the search for a similar name may take.
const hintTime = 3 * time.Second

// Explain adds remedies to an error of the API server. cl may be nil; with it, similar names are looked up.
func Explain(ctx context.Context, err error, cl *collect.Cluster) error {
	var hints []string
	for _, e := range within[*kube.AccessError](err) {
		hints = append(hints, similar(ctx, e, cl)...)
		if errors.Is(e.Kind, kube.ErrForbidden) {
			hints = append(hints, forbidden(e)...)
		}
	}
	has := func(kind error) bool { return errors.Is(err, kind) }
	switch {
	case has(kube.ErrNoNamespace):
		hints = append(hints, "'kubectl get namespaces' lists them")
	case has(kube.ErrUnauthorized):
		hints = append(hints, "log in again, or check the credentials of this context: kubectl config current-context")
	case has(kube.ErrUnreachable):
		hints = append(hints, "is it the right cluster? kubectl config current-context",
			"recorded evidence needs no cluster: --from FILE")
	case has(collect.ErrNoPods):
		hints = append(hints, "deleted pods left traces only in the logs of their nodes: 'node NODE' reads them")
	case has(kube.ErrTimeout):
		hints = append(hints, "--request-timeout=2m waits longer; -n NAMESPACE or a pod's name asks for less")
	}
	slices.Sort(hints)
	return Hint(err, slices.Compact(hints)...)
}

func forbidden(e *kube.AccessError) []string {
	hints := []string{"this user may not " + e.Verb + " " + e.Resource + "; check with: " + e.CanI()}
	if e.Resource == "pods" && e.Namespace == "" && e.Verb == "list" {
		hints = append(hints, "one namespace may be allowed: -n NAMESPACE")
	}
	return hints
}

// similar suggests existing names close to one that was not found.
func similar(ctx context.Context, e *kube.AccessError, cl *collect.Cluster) []string {
	if !errors.Is(e.Kind, kube.ErrNotFound) || e.Name == "" {
		return nil
	}
	list := "kubectl get " + report.Quote(e.Resource)
	if e.Namespace != "" {
		list += " -n " + report.Quote(e.Namespace)
	}
	fallback := []string{"'" + list + "' lists them"}
	if cl == nil {
		return fallback
	}
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	var names []string
	var err error
	if k, ok := kinds[KindOf(e.Resource)]; ok {
		names, err = cl.Client.Names(ctx, k.Resource, e.Namespace, namePage)
	}
	if hints := Question(Meant(e.Name, names)); err == nil && len(hints) > 0 {
		return hints
	}
	return fallback
}

// distance is the number of letters to insert, delete, replace or swap with their neighbour.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] { // a swap of two letters is one typo
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

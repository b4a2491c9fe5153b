package hashcmd

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/hashpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/manifest"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// listing is what is printed, plus the gaps of the API's evidence, which are printed separately.
type listing struct {
	report.HashListing
	missing []evidence.Gap
}

func newHashTable(pods []manifest.Pod, only string, versions []kubelet.Version, second bool) (*listing, error) {
	t := &listing{HashListing: report.HashListing{Items: []report.HashItem{}}}
	var names []string
	place := 0
	for i := range pods {
		p := &pods[i]
		// The kubelet hashes what an ephemeral container has in common with others (kuberuntime_manager.go SyncPod).
		for c, kind := range apiobject.Containers(&p.Template.Spec) {
			names = append(names, safetext.Ident(c.Name))
			if only != "" && c.Name != only {
				continue
			}
			place++
			t.Undefaulted = t.Undefaulted || c.TerminationMessagePath == "" || c.ImagePullPolicy == ""
			item := report.HashItem{Container: safetext.Ident(c.Name), Kind: string(kind), Place: place}
			if len(pods) > 1 {
				item.Pod, item.Namespace = safetext.Ident(p.Ref()), safetext.Ident(p.Namespace)
			}
			for _, v := range versions {
				if err := t.add(item, v, c, second); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(t.Items) == 0 {
		return nil, command.Usage("no container %q in %s: want one of %s", only, podNames(pods), strings.Join(names, ", "))
	}
	return t, nil
}

func (t *listing) add(item report.HashItem, v kubelet.Version, c *corev1.Container, second bool) error {
	profile, err := kubelet.ProfileFor(v)
	if err != nil {
		return err
	}
	minor := min(v.Minor, kubelet.NewestMinor)
	item.Kubelet = v.String()
	if profile.Extrapolated {
		item.ModelledAs = profile.ModelledAs
	}
	keep := func(r hash.Value) {
		item.Algorithm, item.Hash, item.Decimal = r.Algorithm, r.Hex, r.Sum
		t.Items = append(t.Items, item)
	}
	r, err := hash.OfPatch(minor, profile.Patch, c)
	if err != nil {
		return fmt.Errorf("container %s: %w", item.Container, err)
	}
	keep(r)
	if second {
		// Only some minors have it; for the others there is nothing to add.
		if r, err := hash.WithoutResources(minor, c); err == nil {
			item.Second = true
			keep(r)
		}
	}
	return nil
}

func (t *listing) print(e command.Env, format string) error {
	return e.Document(format, t.HashListing, hashpage.Table(&t.HashListing, format == "wide"))
}

package printers

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// index finds the evidence of a report by its id. A report of ten thousand items
// has more evidence than Find should be asked for one by one.
type index map[string]*report.Evidence

func newIndex(r *report.Report) index {
	all := make(index, len(r.Evidence))
	for i := range r.Evidence {
		all[r.Evidence[i].ID] = &r.Evidence[i]
	}
	return all
}

// known returns those of the ids that the report has evidence for.
func (x index) known(ids []string) (found []*report.Evidence) {
	for _, id := range ids {
		if e := x[id]; e != nil {
			found = append(found, e)
		}
	}
	return found
}

// ruledOut are causes that one fact rules out together: the phase of a pod alone
// speaks against a dozen.
type ruledOut struct {
	causes   []string
	because  string
	evidence []string
}

// list names the causes.
func (e ruledOut) list() string { return strings.Join(e.causes, ", ") }

// groupEliminated joins causes that the same words with the same evidence rule
// out, in the order of their first.
func groupEliminated(all report.Eliminations) []ruledOut {
	var out []ruledOut
	at := map[string]int{}
	for _, e := range all.All() {
		key := e.Because + "\x00" + strings.Join(e.Evidence, " ")
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, ruledOut{because: e.Because, evidence: e.Evidence})
		}
		if !slices.Contains(out[i].causes, e.Cause) {
			out[i].causes = append(out[i].causes, e.Cause)
		}
	}
	return out
}

// origin says where evidence comes from, in a few words.
func origin(s report.Source) string {
	return strings.Join(strings.Fields(s.Kind+" "+s.Node+" "+s.Where), " ")
}

// title names what an item is about: shop/web-0, container a.
func title(i *report.Item) (pod, container string) {
	pod = i.Pod
	if i.Namespace != "" {
		pod = i.Namespace + "/" + i.Pod
	}
	if container = i.Container; container != "" && i.ContainerKind != "" && i.ContainerKind != "app" {
		container += " (" + i.ContainerKind + ")"
	}
	return pod, container
}

// asked tells the scope of a report in one line; "" where all was asked for.
func asked(s report.Scope) string {
	var parts []string
	switch {
	case s.AllNamespaces:
		parts = append(parts, "all namespaces")
	case s.Namespace != "":
		parts = append(parts, "namespace "+s.Namespace)
	}
	for _, f := range []struct {
		name   string
		values []string
	}{{"", s.Targets}, {"node ", s.Nodes}, {"from ", s.From}} {
		if len(f.values) > 0 {
			parts = append(parts, f.name+strings.Join(f.values, ", "))
		}
	}
	for _, f := range [][2]string{{"selector", s.Selector}, {"container", s.Container}, {"cause", s.Cause}, {"since", s.Since}} {
		if f[1] != "" {
			parts = append(parts, f[0]+" "+f[1])
		}
	}
	return strings.Join(parts, " · ")
}

package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
)

// change is a row of changes.json.
type change struct {
	Recipe bool     `json:"recipe,omitempty"`
	Fields []string `json:"fields,omitempty"`
}

// changesTable lists the minor versions that give every static pod another UID. Whether the recipe differs is in the
// minor version's profile: it was read in config/common.go applyDefaults.
func changesTable(all map[int]change, m Minors) {
	maps.DeleteFunc(all, func(minor int, _ change) bool { return minor > Oldest })
	for minor := m.First() + 1; minor <= m.Last(); minor++ {
		c := change{Fields: PrintChanges(m.At(minor-1).Print, m.At(minor).Print)}
		if minor <= kubelet.NewestMinor {
			c.Recipe = recipe(minor) != recipe(minor-1)
		}
		if c.Recipe || len(c.Fields) > 0 {
			all[minor] = c
		}
	}
}

func recipe(minor int) kubelet.StaticPodUIDRecipe {
	p, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: minor})
	if err != nil {
		return ""
	}
	return p.StaticPodUID
}

// PrintChanges lists the fields that were added to every pod's print, were removed, or changed their type: nil if every
// pod prints as before. A field that was removed from one type and added to another was moved.
func PrintChanges(was, is map[string]inventory.Type) (all []string) {
	type move struct{ from, to string }
	moved := map[move][]string{}
	gone := map[string]string{} // field → its type
	for _, name := range always(was, is) {
		for _, f := range without(was[name].Fields, is[name].Fields) {
			gone[f] = name
		}
	}
	var came, rest []string
	var order []move
	for _, name := range always(was, is) {
		short := strings.TrimPrefix(name, "meta.")
		before := len(came) + len(rest) + len(order)
		for _, f := range without(is[name].Fields, was[name].Fields) {
			from, elsewhere := gone[f]
			switch {
			case elsewhere && from != name:
				at := move{from, name}
				if moved[at] == nil {
					order = append(order, at)
				}
				moved[at] = append(moved[at], f)
			default:
				came = append(came, short+"."+f)
			}
		}
		for _, f := range typed(was[name].Fields, is[name].Fields) {
			rest = append(rest, short+"."+f+" changed its type")
		}
		for _, f := range without(was[name].Fields, is[name].Fields) {
			if _, to := newHome(f, name, was, is); !to {
				rest = append(rest, short+"."+f+" removed")
			}
		}
		if len(came)+len(rest)+len(order) == before && !slices.Equal(was[name].Fields, is[name].Fields) &&
			len(without(was[name].Fields, is[name].Fields)) == 0 {
			rest = append(rest, short+": order of its fields")
		}
	}
	for _, at := range order {
		all = append(all, fmt.Sprintf("%s moved from %s to %s", list(moved[at]), strings.TrimPrefix(at.from, "meta."), at.to))
	}
	return append(append(all, rest...), came...)
}

// newHome returns the type that a field was moved to.
func newHome(field, from string, was, is map[string]inventory.Type) (string, bool) {
	for _, name := range always(was, is) {
		if name != from && slices.Contains(without(is[name].Fields, was[name].Fields), field) {
			return name, true
		}
	}
	return "", false
}

// always lists the types in every print, the pod's first.
func always(was, is map[string]inventory.Type) (all []string) {
	for name, t := range was {
		if t.Always || is[name].Always {
			if _, both := is[name]; both {
				all = append(all, name)
			}
		}
	}
	order := []string{"Container", "PodSecurityContext", "PodSpec", "ResourceRequirements", "PodStatus", "meta.ObjectMeta"}
	slices.SortFunc(all, func(a, b string) int {
		if d := slices.Index(order, a) - slices.Index(order, b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return all
}

func fieldName(f string) string {
	name, _, _ := strings.Cut(f, " ")
	return name
}

func without(all, some []string) (rest []string) {
	for _, f := range all {
		if !slices.ContainsFunc(some, func(s string) bool { return fieldName(s) == fieldName(f) }) {
			rest = append(rest, fieldName(f))
		}
	}
	return rest
}

func typed(was, is []string) (all []string) {
	for _, f := range is {
		if !slices.Contains(was, f) && slices.ContainsFunc(was, func(s string) bool { return fieldName(s) == fieldName(f) }) {
			all = append(all, fieldName(f))
		}
	}
	return all
}

// list formats words as "A, B and C".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

package bundle

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// named is how many of the entries left out for the same reason are named.
const named = 3

// refusals collects the entries that were left out: a million links become one gap.
type refusals struct {
	whys  []string
	names map[string][]string
	count map[string]int
}

// add records that an entry was left out, and why.
func (r *refusals) add(name, why string) {
	if r.count == nil {
		r.names, r.count = map[string][]string{}, map[string]int{}
	}
	if !slices.Contains(r.whys, why) {
		r.whys = append(r.whys, why)
	}
	if r.count[why]++; r.count[why] <= named {
		r.names[why] = append(r.names[why], safetext.Shorten(name, 256))
	}
}

// tell reports them as gaps.
func (r *refusals) tell(b *Bundle) {
	for _, why := range r.whys {
		if r.count[why] <= named {
			for _, name := range r.names[why] {
				b.gap("", "%s left out: %s", name, why)
			}
			continue
		}
		b.gap("", "%d entries left out: %s (%s, …)", r.count[why], why, strings.Join(r.names[why], ", "))
	}
	*r = refusals{}
}

package finding

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
)

func TestAKubeletIsUpgradedOrDowngradedOnlyWhereBothVersionsAreKnown(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"a newer minor":     {"v1.30.14", "v1.36.3", "upgraded"},
		"a newer patch":     {"v1.30.1", "v1.30.2", "upgraded"},
		"an older minor":    {"v1.31.0", "v1.30.14", "downgraded"},
		"a vendor's suffix": {"v1.30.1-eks-1", "v1.30.1-gke.2", "changed"},
		"the same":          {"v1.30.1", "v1.30.1", "changed"},
		"not known before":  {"", "v1.31.0", "changed"},
		"not known after":   {"v1.31.0", "", "changed"},
		"not a version":     {"v1.31.0", "newest", "changed"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := release.Exchange(c.from, c.to); got != c.want {
				t.Errorf("%s to %s: %s, want %s", c.from, c.to, got, c.want)
			}
		})
	}
}

package naming

import (
	"slices"
	"testing"
)

func TestRefusedEvictionsAreNoEnds(t *testing.T) {
	const asked = "evicting pod shop/api-1\nerror when evicting pods/\"api-1\" -n \"shop\" (will retry after 5s): Cannot evict " +
		"pod as it would violate the pod's disruption budget.\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"refused":                      {text: asked, want: []string{"api-1"}},
		"refused twice":                {text: asked + asked, want: []string{"api-1"}},
		"then evicted":                 {text: asked + "pod/api-1 evicted\n"},
		"another one was":              {text: asked + "pod/api-10 evicted\n", want: []string{"api-1"}},
		"by a kubectl of long ago":     {text: asked + "pod \"api-1\" evicted\n"},
		"nothing was refused":          {text: "evicting pod shop/api-1\n"},
		"its namespace is terminating": {text: `error when evicting pod "a-0" from terminating namespace "x"`, want: []string{"a-0"}},
	} {
		if got := Refused(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

package naming

import (
	"regexp"
	"slices"
	"strings"
)

// refused matches kubectl drain's message about an eviction that the API server did not allow, mostly because of a
// PodDisruptionBudget; it tries again (kubectl pkg/drain/drain.go evictPods).
var refused = regexp.MustCompile(`error when evicting pods?[ /]"([a-z0-9][a-z0-9.-]*)"`)

// Refused returns the pods whose eviction by a drain was refused and did not succeed by the end of the text.
func Refused(text string) (pods []string) {
	if !strings.Contains(text, "error when evicting ") {
		return nil
	}
	for _, m := range refused.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if !slices.Contains(pods, name) && !strings.Contains(text, "pod/"+name+" evicted") &&
			!strings.Contains(text, `pod "`+name+`" evicted`) {
			pods = append(pods, name)
		}
	}
	return pods
}

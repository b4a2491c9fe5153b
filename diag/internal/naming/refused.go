package naming

import (
	"regexp"
	"slices"
	"strings"
)

// refused is what kubectl drain says of an eviction that the API server did not allow, mostly for a
// PodDisruptionBudget; it tries again (kubectl pkg/drain/drain.go evictPods).
var refused = regexp.MustCompile(`error when evicting pods?[ /]"([a-z0-9][a-z0-9.-]*)"`)

// Refused are the pods that a drain asked to evict, was refused, and did not evict by the end of the text.
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

package naming

import (
	"slices"
	"strings"
)

// This file finds the name in a person's sentence by the words around it: "the web-api pods in shop", "web-api v1.2 in
// kube-system", "web-api: its liveness probe is too strict".

// notNamed reports whether what stands in the place of a name is a word that describes.
func notNamed(name string) bool {
	if strings.Contains(name, "-") {
		return compound.MatchString(name)
	}
	return ordinary.MatchString(name) || slices.Contains(plainWords, name) || slices.Contains(things, name) ||
		slices.Contains(kinds, name)
}

// subject returns the names that a sentence has in such a form, and those that count only where there are no others.
func subject(line string) (strong, weak Names) {
	line = Plain(line)
	for i := range inSentences {
		f := &inSentences[i]
		found := f.find(line)
		if found == nil || notNamed(found[0]) || machine.MatchString(found[0]) || slices.Contains(notPods, found[0]) {
			continue
		}
		n := Names{}.of(f.kinds, found)
		switch {
		case n.Pod == "":
			continue
		case place.MatchString(n.Namespace):
			n.Namespace = ""
		}
		if f.weak {
			weak = weak.Beside(n)
		} else {
			strong = strong.Beside(n)
		}
	}
	return strong, weak
}

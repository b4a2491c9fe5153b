package hash

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// printing is a text as far as it was hashed. The text itself, which holds values of environment variables, is kept for
// tests only.
type printing struct {
	sum   uint32
	minor int
	// until is the last minor that prints the container as this one does.
	until int
	// short tells that a backspace or form feed was there and written as \b or \f.
	short bool
	keep  bool
	text  []byte
}

// since reports whether a field that came with a minor is printed. Where it is not, that minor would differ.
func (p *printing) since(minor int) bool {
	if p.minor >= minor {
		return true
	}
	p.until = min(p.until, minor-1)
	return false
}

// upTo reports whether a field that had its last minor is printed. Where it is, the minors behind would differ.
func (p *printing) upTo(minor int) bool {
	if p.minor > minor {
		return false
	}
	p.until = min(p.until, minor)
	return true
}

// sortedNames appends the names of a list in the order in which encoding/json and the spew library print keys.
func sortedNames(buffer []corev1.ResourceName, list corev1.ResourceList) []corev1.ResourceName {
	for name := range list {
		buffer = append(buffer, name)
	}
	slices.Sort(buffer)
	return buffer
}

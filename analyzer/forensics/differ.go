package forensics

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// changedField is a field in which an earlier spec differs from the present one, from the present one's point of view:
// less is a field that the earlier one lacks.
type changedField struct {
	field string
	way   way
}

// differing lists the fields in which an earlier spec differs from the present one, sorted by name and without their
// values. Name and image are not among them. Entries of lists are named by their index in the present spec; entries
// that only the earlier one has are counted.
func differing(now, then *corev1.Container) []changedField {
	a, b := object(now), object(then)
	var out []changedField
	for _, k := range keys(a, b) {
		if k == "name" || k == "image" {
			continue
		}
		if key, ok := entryKeys[k]; ok {
			out = append(out, differingEntries(k, key, entries(a[k]), entries(b[k]))...)
			continue
		}
		out = append(out, differingField(k, k, a, b, 1)...)
	}
	return out
}

// differingField compares one field; if it has fields itself, it names those, one level down: keys further down may be
// user data.
func differingField(name, k string, a, b tree, depth int) (out []changedField) {
	n, has := a[k]
	t, had := b[k]
	switch {
	case has == had && equal(n, t):
		return nil
	case depth > 0 && isTree(n, true) && isTree(t, true):
		inside := [2]tree{asTree(n), asTree(t)}
		for _, below := range keys(inside[0], inside[1]) {
			out = append(out, differingField(name+"."+below, below, inside[0], inside[1], depth-1)...)
		}
		return out
	case !had:
		return []changedField{{name, less}}
	case !has:
		return []changedField{{name, more}}
	}
	return []changedField{{name, other}}
}

// entryWords are the names of entries of a list, singular and plural.
var entryWords = map[string][2]string{
	"env": {"variable", "variables"}, "volumeMounts": {"mount", "mounts"},
	"ports": {"port", "ports"}, "volumeDevices": {"device", "devices"},
}

func differingEntries(name, key string, now, then []any) (out []changedField) {
	if equal(now, then) {
		return nil
	}
	for i, n := range now {
		switch t := find(then, entryID(n, key), key); {
		case t == nil:
			out = append(out, changedField{fmt.Sprintf("%s[%d]", name, i), less})
		case !equal(n, t):
			out = append(out, changedField{fmt.Sprintf("%s[%d]", name, i), other})
		}
	}
	gone := 0
	for _, t := range then {
		if find(now, entryID(t, key), key) == nil {
			gone++
		}
	}
	if gone > 0 {
		words := entryWords[name]
		out = append(out, changedField{fmt.Sprintf("%d more %s", gone, plural(gone, words[0], words[1])), more})
	}
	if len(out) == 0 {
		out = append(out, changedField{"the order of " + name, other})
	}
	return out
}

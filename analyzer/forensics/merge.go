package forensics

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// tree is a container, or a part of one, as JSON.
type tree = map[string]any

// object returns a container as JSON; nil where it cannot be marshalled, which never happens for a container that was
// read.
func object(c *corev1.Container) tree {
	raw, err := json.Marshal(c)
	if err != nil {
		return nil
	}
	var t tree
	if json.Unmarshal(raw, &t) != nil {
		return nil
	}
	return t
}

// fill sets a container from a tree.
func fill(c *corev1.Container, from tree) bool {
	raw, err := json.Marshal(from)
	if err != nil {
		return false
	}
	var made corev1.Container
	if json.Unmarshal(raw, &made) != nil {
		return false
	}
	*c = made
	return true
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// keys returns the fields of several trees, sorted.
func keys(of ...tree) []string {
	all := map[string]bool{}
	for _, t := range of {
		for k := range t {
			all[k] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// put sets a field to the value in another tree, or deletes it.
func put(t tree, field string, from tree) {
	if v, ok := from[field]; ok {
		t[field] = v
	} else {
		delete(t, field)
	}
}

// transplanted applies to a template what admission and defaulting did to another one, base, that became the container
// now: defaults, mounts, variables, limits. Where the two templates differ, the template keeps its own values, above
// all the image.
func transplanted(base, now, template *corev1.Container) *corev1.Container {
	out := template.DeepCopy()
	if base == nil {
		return out
	}
	was := object(template)
	if !fill(out, graft(object(base), object(now), was)) {
		return template.DeepCopy()
	}
	out.Name, out.Image = template.Name, imageAs(base.Image, now.Image, template.Image)
	return out
}

// lists are merged by the key that identifies their entries.
var entryKeys = map[string]string{"env": "name", "volumeMounts": "mountPath",
	"ports": "containerPort", "volumeDevices": "devicePath"}

// graft applies the changes from base to now to to.
func graft(base, now, to tree) tree {
	out := maps.Clone(to)
	if out == nil {
		out = tree{}
	}
	for _, k := range keys(base, now) {
		b, had := base[k]
		n, has := now[k]
		t, own := to[k]
		key, listed := entryKeys[k]
		switch {
		case had == has && equal(b, n): // unchanged
		case listed:
			if merged := graftList(entries(b), entries(n), entries(t), key); len(merged) > 0 {
				out[k] = merged
			} else {
				delete(out, k)
			}
		case had == own && equal(b, t): // equal in the other template, so it is treated the same way
			put(out, k, now)
		case has && (own || !had) && isTree(b, had) && isTree(n, has) && isTree(t, own):
			out[k] = graft(asTree(b), asTree(n), asTree(t))
		}
	}
	return out
}

// isTree reports whether a value has fields, or is absent and may get some.
func isTree(v any, there bool) bool {
	_, ok := v.(tree)
	return ok || !there
}

func asTree(v any) tree {
	t, _ := v.(tree)
	return t
}

func entries(v any) []any {
	l, _ := v.([]any)
	return l
}

// graftList copies entries that were added to a list to another one: those before all others to its head, those after
// all others to its end, the rest after their neighbours. What both templates have is treated the same way.
func graftList(base, now, to []any, key string) []any {
	out := slices.Clone(to)
	last := -1 // the index in now of the last entry that the base has
	for i, n := range now {
		if find(base, entryID(n, key), key) != nil {
			last = i
		}
	}
	at := 0 // where the next entry goes
	for i, n := range now {
		id := entryID(n, key)
		is := func(e any) bool { return entryID(e, key) == id }
		b, place := find(base, id, key), slices.IndexFunc(out, is)
		switch {
		case b != nil && place >= 0:
			if equal(out[place], b) {
				out[place] = n
			}
			at = place + 1
		case b != nil || place >= 0: // not added, or already present
		case i > last:
			out = append(out, n)
		default:
			out = slices.Insert(out, at, n)
			at++
		}
	}
	return out
}

// entryID returns what identifies an entry of a list.
func entryID(entry any, key string) string { return fmt.Sprint(asTree(entry)[key]) }

func find(in []any, id, key string) any {
	for _, e := range in {
		if entryID(e, key) == id {
			return e
		}
	}
	return nil
}

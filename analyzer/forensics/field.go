package forensics

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// field finds a field of a container by its path in the API. The value is invalid where its parent is not set.
func field(path string) func(*corev1.Container) reflect.Value {
	var steps []int
	at := reflect.TypeFor[corev1.Container]()
	for name := range strings.SplitSeq(path, ".") {
		if at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
		for i := range at.NumField() {
			if is, _, _ := strings.Cut(at.Field(i).Tag.Get("json"), ","); is == name {
				steps, at = append(steps, i), at.Field(i).Type
				break
			}
		}
	}
	return func(c *corev1.Container) reflect.Value {
		v := reflect.ValueOf(c)
		for _, i := range steps {
			if v = reflect.Indirect(v); !v.IsValid() {
				break
			}
			v = v.Field(i)
		}
		return v
	}
}

// drop returns an edit that leaves a field out.
func drop(path string) func(*corev1.Container) bool {
	of := field(path)
	return func(c *corev1.Container) bool {
		v := of(c)
		if !v.IsValid() {
			return false
		}
		had := holds(v)
		v.SetZero()
		return had
	}
}

// holds reports whether a field is set: an empty list or map is the same as none.
func holds(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	case reflect.Struct:
		for i := range v.NumField() {
			if holds(v.Field(i)) {
				return true
			}
		}
		return false
	}
	return !v.IsZero()
}

// set returns an edit that sets a field which is left out.
func set(path string, value any) func(*corev1.Container) bool {
	of := field(path)
	return func(c *corev1.Container) bool {
		v := of(c)
		if !v.IsValid() || !v.IsZero() {
			return false
		}
		if v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		v.Set(reflect.ValueOf(value))
		return true
	}
}

// filling sets the defaults of nested fields in a container, or removes them again.
type filling struct{ away, changed bool }

// swap does so for one field.
func swap[T comparable](f *filling, p *T, value T) {
	var from T
	to := value
	if f.away {
		from, to = to, from
	}
	if *p == from {
		*p, f.changed = to, true
	}
}

// filled returns the two edits for the defaults that walk finds.
func filled(name string, walk func(*corev1.Container, *filling)) []edit {
	edits := []edit{{field: name, way: less, usual: true}, {field: name, way: more, usual: true}}
	for i := range edits {
		edits[i].do = func(c *corev1.Container) bool {
			f := filling{away: edits[i].way == less}
			walk(c, &f)
			return f.changed
		}
	}
	return edits
}

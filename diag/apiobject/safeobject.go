package apiobject

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// safeObject returns a redacted pod with all strings safe to print. A pod that is safe already, as nearly every pod is,
// is returned itself.
func safeObject(p *corev1.Pod) *corev1.Pod {
	if !eachString(reflect.ValueOf(p), nil) {
		p = p.DeepCopy()
		eachString(reflect.ValueOf(p), safetext.Ident)
	}
	return p
}

// eachString walks over every string below v. Without change it reports whether all of them are safe, and stops at the
// first that is not; with change it replaces them. Unexported fields (in times and quantities) hold no free text.
func eachString(v reflect.Value, change func(string) string) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil() || eachString(v.Elem(), change)
	case reflect.String:
		if change == nil {
			return safetext.Ident(v.String()) == v.String()
		}
		v.SetString(change(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanInterface() && !eachString(f, change) {
				return false
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return true
		}
		for i := range v.Len() {
			if !eachString(v.Index(i), change) {
				return false
			}
		}
	case reflect.Map:
		return eachEntry(v, change)
	}
	return true
}

// eachEntry walks over a map, whose keys and values cannot be set in place.
func eachEntry(m reflect.Value, change func(string) string) bool {
	for _, k := range m.MapKeys() {
		key, value := reflect.New(k.Type()).Elem(), reflect.New(m.Type().Elem()).Elem()
		key.Set(k)
		value.Set(m.MapIndex(k))
		if !eachString(key, change) || !eachString(value, change) {
			return false
		}
		if change != nil {
			m.SetMapIndex(k, reflect.Value{})
			m.SetMapIndex(key, value)
		}
	}
	return true
}

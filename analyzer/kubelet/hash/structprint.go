package hash

import (
	"reflect"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// structPrint produces what the spew library prints for a Go value with the verb %#v and the kubelet's settings: types
// in parentheses before fields, none before elements and pointers' targets, <nil> for missing values, and strings
// without quotes.
//
// All minors from 1.6 on are printed at once. They share one sum until a field appears that only later ones know.
type structPrint struct {
	last  int        // the last minor that is printed
	sums  []minorSum // oldest first
	first int        // index in sums: those before do not have what is being printed
	adler adler      // the sum of 1.5
	text  []byte     // in tests; it holds values of environment variables
	keep  bool
}

// minorSum is the FNV-1a sum of the minors from this one up to the next sum's.
type minorSum struct {
	from int
	sum  uint32
}

// printStruct prints c for the minors from first to last, which is at least 1.6.
func printStruct(first, last int, c *corev1.Container) *structPrint {
	p := &structPrint{last: last, sums: append(make([]minorSum, 0, 8), minorSum{first, fnvOffset})}
	p.raw("(v1.Container)")
	p.value(containerShape(), reflect.ValueOf(c).Elem())
	return p
}

// printAPI prints c for 1.5, which printed its internal type, in the package api, converted from the v1 type
// field by field (kubelet v1.5 container/helpers.go HashContainer).
func printAPI(keep bool, c *corev1.Container) *structPrint {
	p := &structPrint{last: OldestMinor, keep: keep, adler: adlerStart}
	p.raw("(api.Container)")
	p.value(containerShape(), reflect.ValueOf(c).Elem())
	return p
}

// since returns the index of the first sum for the minors from one on, splitting a sum if needed.
func (p *structPrint) since(minor int) int {
	i := len(p.sums)
	for i > 0 && p.sums[i-1].from >= minor {
		i--
	}
	if i > 0 && (i == len(p.sums) || p.sums[i].from > minor) {
		p.sums = slices.Insert(p.sums, i, minorSum{minor, p.sums[i-1].sum})
	}
	return i
}

// raw prints a text unchanged.
func (p *structPrint) raw(text string) {
	if p.keep {
		p.text = append(p.text, text...)
	}
	if p.last == OldestMinor {
		p.adler = p.adler.and(text)
	}
	for i := p.first; i < len(p.sums); i++ {
		p.sums[i].sum = sumOf(p.sums[i].sum, text)
	}
}

func (p *structPrint) literal(l *literal) {
	if p.keep {
		p.text = append(p.text, l.text...)
	}
	for i := p.first; i < len(p.sums); i++ {
		p.sums[i].sum = l.step(p.sums[i].sum)
	}
}

func (p *structPrint) value(s *shape, v reflect.Value) {
	switch s.kind {
	case reflect.Struct:
		p.fields(s, v)
	case reflect.Pointer:
		if v.IsNil() {
			p.raw("<nil>")
		} else {
			p.value(s.elem, v.Elem())
		}
	case reflect.Slice:
		p.list(s, v)
	case reflect.Map:
		p.resources(s, v.Interface().(corev1.ResourceList))
	case reflect.String:
		p.raw(v.String())
	case reflect.Bool:
		p.raw(strconv.FormatBool(v.Bool()))
	case reflect.Uint: // of a decimal of any length, 64 bits each on the machines of kubelets
		p.raw(strconv.FormatUint(v.Uint(), 10))
	default:
		p.raw(string(strconv.AppendInt(make([]byte, 0, 20), v.Int(), 10)))
	}
}

func (p *structPrint) fields(s *shape, v reflect.Value) {
	first := p.first
	for i := range s.fields {
		f := &s.fields[i]
		if f.since > p.last {
			continue
		}
		p.first = max(first, p.since(f.since))
		if p.last == OldestMinor {
			p.raw(f.api)
		} else {
			p.literal(f.v1)
		}
		p.value(f.shape, v.Field(f.index))
	}
	p.first = first
	p.raw("}")
}

func (p *structPrint) list(s *shape, v reflect.Value) {
	if v.IsNil() {
		p.raw("<nil>")
		return
	}
	p.raw("[")
	for i := range v.Len() {
		if i > 0 {
			p.raw(" ")
		}
		p.value(s.elem, v.Index(i))
	}
	p.raw("]")
}

func (p *structPrint) resources(s *shape, list corev1.ResourceList) {
	if list == nil {
		p.raw("<nil>")
		return
	}
	p.raw("map[")
	var q resource.Quantity
	for i, name := range sortedNames(make([]corev1.ResourceName, 0, 8), list) {
		if i > 0 {
			p.raw(" ")
		}
		p.raw(string(name))
		p.raw(":")
		// Unexported fields are printed too: a number with its scale of ten or, where that is too small, a decimal; and
		// the cached text, which decoding fills in for whole numbers only, today as then.
		q = list[name]
		p.value(s.elem, reflect.ValueOf(&q).Elem())
	}
	p.raw("]")
}

package hash

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// jsonPrint produces the JSON that a kubelet of the JSON era makes of a container, as encoding/json does: fields in the
// order of the Go struct, unset ones omitted, "resources" always present, quantities in canonical form, <, > and &
// escaped. An older kubelet decodes the pod with its own types, so a field that it did not know is not in what it
// hashes.
type jsonPrint struct {
	minor int
	sum   uint32
	until int // the last minor that encodes the container as this one does
	// long writes a backspace or form feed as \u0008 or \u000c; short reports that there was one and that it was
	// written as \b or \f.
	long, short bool
	first       bool // no field of the present object has been written
	failed      bool // encoding/json would have returned an error
	// The text itself, which holds values of environment variables, is kept for tests only.
	keep bool
	text []byte
}

// goShortEscapesFrom and goShortEscapesAlwaysFrom are the limits of the minors whose kubelets may write a backspace or
// form feed in JSON as \b and \f instead of \u0008 and \u000c: those built with Go 1.22 or newer. 1.30 did from its
// first patch on; 1.27, 1.28 and 1.29 changed in 1.27.16, 1.28.12 and 1.29.7 (CHANGELOGs, "built with go").
const (
	goShortEscapesFrom       = 27
	goShortEscapesAlwaysFrom = 30
)

// goShortEscapesPatch is the patch in which a minor changed.
var goShortEscapesPatch = map[int]int{27: 16, 28: 12, 29: 7}

// writesLongEscapes reports whether that kubelet was built with Go up to 1.21. A negative patch is the minor's last.
func writesLongEscapes(minor, patch int) bool {
	first, changed := goShortEscapesPatch[minor]
	if changed {
		return patch >= 0 && patch < first
	}
	return minor < goShortEscapesFrom
}

// printJSON prints c as a kubelet of that minor encodes it.
func printJSON(minor int, long bool, c *corev1.Container) jsonPrint {
	p := newJSONPrint(minor)
	p.long = long
	p.whole(c)
	return p
}

// printNameImage prints what kubelets from 1.31 on hash of c.
func printNameImage(c *corev1.Container) jsonPrint {
	p := newJSONPrint(LastWholeSpec + 1)
	p.nameImage(c)
	return p
}

func newJSONPrint(minor int) jsonPrint {
	return jsonPrint{minor: minor, sum: sumOf(fnvOffset, dumpStart), until: LastWholeSpec}
}

// whole prints c. Where encoding fails the kubelet silently hashes nil (container/helpers.go HashContainer drops the
// error).
func (p *jsonPrint) whole(c *corev1.Container) {
	p.first = true
	p.fields(containerShape(), reflect.ValueOf(c).Elem())
	p.end()
	if p.failed {
		p.sum, p.short, p.text = sumOf(fnvOffset, dumpNil), false, nil
	}
}

// nameImage prints the JSON of a map with the keys image and name, which encoding/json sorts
// (kubelet v1.31 container/helpers.go pickFieldsToHash).
func (p *jsonPrint) nameImage(c *corev1.Container) {
	p.raw(`{"image":`)
	p.string(c.Image)
	p.raw(`,"name":`)
	p.string(c.Name)
	p.end()
}

// since reports whether a field that was added in a minor is printed. If not, that minor's print would differ.
func (p *jsonPrint) since(minor int) bool {
	if p.minor >= minor {
		return true
	}
	p.until = min(p.until, minor-1)
	return false
}

// raw prints a text unchanged.
func (p *jsonPrint) raw(text string) {
	if p.keep {
		p.text = append(p.text, text...)
	}
	p.sum = sumOfDump(p.sum, text)
}

func (p *jsonPrint) literal(l *literal) {
	if p.keep {
		p.text = append(p.text, l.text...)
	}
	p.sum = l.step(p.sum)
}

// end prints the very last brace, which is not followed by a blank in the dump.
func (p *jsonPrint) end() {
	if p.keep {
		p.text = append(p.text, '}')
	}
	p.sum = sumOf(p.sum, dumpEnd)
}

// next prints what precedes a field of the present object.
func (p *jsonPrint) next() {
	if p.first {
		p.raw("{")
	} else {
		p.raw(",")
	}
	p.first = false
}

func (p *jsonPrint) objectEnd() {
	if p.first {
		p.raw("{")
	}
	p.raw("}")
	p.first = false
}

var (
	quantityType    = reflect.TypeFor[resource.Quantity]()
	intOrStringType = reflect.TypeFor[intstr.IntOrString]()
)

func (p *jsonPrint) value(s *shape, v reflect.Value) {
	switch s.kind {
	case reflect.Struct:
		switch s.goType {
		case quantityType:
			p.quantity(*v.Addr().Interface().(*resource.Quantity))
		case intOrStringType:
			p.intOrString(v.Addr().Interface().(*intstr.IntOrString))
		default:
			p.first = true
			p.fields(s, v)
			p.objectEnd()
		}
	case reflect.Pointer:
		if v.IsNil() {
			p.raw("null")
		} else {
			p.value(s.elem, v.Elem())
		}
	case reflect.Slice:
		p.raw("[")
		for i := range v.Len() {
			if i > 0 {
				p.raw(",")
			}
			p.value(s.elem, v.Index(i))
		}
		p.raw("]")
	case reflect.Map:
		p.resources(v.Interface().(corev1.ResourceList))
	case reflect.String:
		p.string(v.String())
	case reflect.Bool:
		p.raw(strconv.FormatBool(v.Bool()))
	default:
		p.raw(string(strconv.AppendInt(make([]byte, 0, 20), v.Int(), 10)))
	}
}

func (p *jsonPrint) fields(s *shape, v reflect.Value) {
	for i := range s.fields {
		f := &s.fields[i]
		switch of := v.Field(f.index); {
		case f.omitEmpty && isEmpty(f.shape.kind, of), !p.since(f.since):
		case f.key == nil:
			p.fields(f.shape, of)
		default:
			p.next()
			p.literal(f.key)
			p.value(f.shape, of)
		}
	}
}

// isEmpty reports whether encoding/json omits the value for omitempty.
func isEmpty(kind reflect.Kind, v reflect.Value) bool {
	switch kind {
	case reflect.Struct:
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func (p *jsonPrint) intOrString(v *intstr.IntOrString) {
	switch v.Type {
	case intstr.Int:
		p.raw(strconv.Itoa(int(v.IntVal)))
	case intstr.String:
		p.string(v.StrVal)
	default:
		p.failed = true
	}
}

func (p *jsonPrint) resources(list corev1.ResourceList) {
	p.first = true
	for _, name := range sortedNames(make([]corev1.ResourceName, 0, 8), list) {
		p.next()
		p.string(string(name))
		p.raw(":")
		p.quantity(list[name])
	}
	p.objectEnd()
}

func (p *jsonPrint) quantity(q resource.Quantity) {
	text, err := q.MarshalJSON()
	if err != nil {
		p.failed = true
		return
	}
	p.raw(string(text))
}

// string prints a string with the escapes of encoding/json.
func (p *jsonPrint) string(s string) {
	p.raw(`"`)
	written := 0
	for i := 0; i < len(s); {
		escape, size := "", 1
		if c := s[i]; c < utf8.RuneSelf {
			escape = asciiEscapes[c]
			if c == '\b' || c == '\f' {
				escape = p.goEscape(c)
			}
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				escape = `\ufffd`
			case r == '\u2028':
				escape = `\u2028`
			case r == '\u2029':
				escape = `\u2029`
			}
		}
		if escape != "" {
			p.raw(s[written:i])
			p.raw(escape)
			written = i + size
		}
		i += size
	}
	p.raw(s[written:])
	p.raw(`"`)
}

// goEscape returns the escape of a backspace or form feed, which depends on the Go version that the kubelet was built
// with.
func (p *jsonPrint) goEscape(c byte) string {
	p.short = p.short || !p.long
	switch {
	case p.long && c == '\b':
		return `\u0008`
	case p.long:
		return `\u000c`
	case c == '\b':
		return `\b`
	}
	return `\f`
}

// asciiEscapes holds the escapes of the other characters.
var asciiEscapes = func() (escapes [utf8.RuneSelf]string) {
	for c := range ' ' {
		escapes[c] = fmt.Sprintf(`\u%04x`, c)
	}
	for _, c := range "<>&" {
		escapes[c] = fmt.Sprintf(`\u%04x`, c)
	}
	escapes['"'], escapes['\\'] = `\"`, `\\`
	escapes['\n'], escapes['\r'], escapes['\t'] = `\n`, `\r`, `\t`
	return escapes
}()

// sortedNames appends the names of a list in the order in which encoding/json and the spew library print keys. A reused
// buffer saves garbage for each print of each container.
func sortedNames(names []corev1.ResourceName, list corev1.ResourceList) []corev1.ResourceName {
	for name := range list {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

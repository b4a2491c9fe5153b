package hashcase

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Generator creates cases from a seed; the same seed gives the same cases.
type Generator struct {
	random *rand.Rand
	b      []byte
	dense  float64 // the probability that a field of the current case is set
}

// NewGenerator returns the generator for a seed.
func NewGenerator(seed uint64) *Generator {
	return &Generator{random: rand.New(rand.NewPCG(seed, 1))}
}

// container is the shape of today's v1.Container; new fields are generated without a change here.
var container = shapeOf(reflect.TypeFor[corev1.Container]())

// shape is what the generator must know about a type.
type shape struct {
	kind   reflect.Kind
	fields []fieldShape // of a struct, including those of embedded structs
	elem   *shape       // of a list
	write  func(*Generator)
}

type fieldShape struct {
	key   string
	shape *shape
}

func shapeOf(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return &shape{write: (*Generator).quantity}
	case reflect.TypeFor[intstr.IntOrString]():
		return &shape{write: (*Generator).intOrString}
	case reflect.TypeFor[corev1.ResourceList]():
		return &shape{write: (*Generator).resourceList}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Slice:
		return &shape{kind: reflect.Slice, elem: shapeOf(t.Elem())}
	case reflect.Struct:
		s := &shape{kind: reflect.Struct}
		for i := range t.NumField() {
			f := t.Field(i)
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if inner := shapeOf(f.Type); key == "" && f.Anonymous {
				s.fields = append(s.fields, inner.fields...)
			} else {
				s.fields = append(s.fields, fieldShape{key, inner})
			}
		}
		return s
	case reflect.Bool:
		return &shape{write: (*Generator).boolean}
	case reflect.String:
		return &shape{write: (*Generator).text}
	default: // whole numbers of some width
		bits := t.Bits()
		return &shape{write: func(g *Generator) { g.number(bits) }}
	}
}

// Next returns the next case as a line with a line feed; the caller owns it.
func (g *Generator) Next() []byte {
	g.b = g.b[:0]
	g.dense = [...]float64{0.04, 0.04, 0.1, 0.15, 0.3, 0.7}[g.random.IntN(6)]
	g.raw(`{`)
	if g.one(8) {
		g.raw(`"touch":` + strconv.Itoa(1+g.random.IntN(int(touches)-1)) + `,`)
	}
	g.raw(`"container":`)
	g.structure(container)
	g.raw("}\n")
	return append([]byte(nil), g.b...)
}

func (g *Generator) raw(s string)   { g.b = append(g.b, s...) }
func (g *Generator) one(n int) bool { return g.random.IntN(n) == 0 }

func (g *Generator) value(s *shape) {
	if g.one(60) {
		g.raw("null")
		return
	}
	switch s.kind {
	case reflect.Struct:
		g.structure(s)
	case reflect.Slice:
		g.raw("[")
		n := g.random.IntN(4)
		if g.one(40) {
			n = g.random.IntN(15)
		}
		for i := range n {
			if i > 0 {
				g.raw(",")
			}
			g.value(s.elem)
		}
		g.raw("]")
	default:
		s.write(g)
	}
}

func (g *Generator) structure(s *shape) {
	g.raw("{")
	n := 0
	key := func(k string) {
		if n > 0 {
			g.raw(",")
		}
		n++
		g.raw(`"` + k + `":`)
	}
	// Inside a set field, the usual density would leave almost everything empty.
	dense := max(g.dense, 0.3)
	if s == container {
		dense = g.dense
	}
	for _, f := range s.fields {
		likely := dense
		if s == container && (f.key == "name" || f.key == "image") {
			likely = 0.9
		}
		if g.random.Float64() < likely {
			key(f.key)
			g.value(f.shape)
		}
	}
	if g.one(100) {
		key("aFieldOfTomorrow")
		g.text()
	}
	g.raw("}")
}

func (g *Generator) boolean() { g.raw(strconv.FormatBool(g.one(2))) }

func (g *Generator) number(bits int) {
	n := int64(g.random.IntN(30000))
	switch g.random.IntN(12) {
	case 0:
		n = 0
	case 1:
		n = -n
	case 2:
		n = int64(g.random.Uint64()) >> (64 - bits)
	}
	g.b = strconv.AppendInt(g.b, n, 10)
}

func (g *Generator) intOrString() {
	if g.one(2) {
		g.number(32)
		return
	}
	g.text()
}

// words are ordinary values, and some that could be mistaken for the printed form itself.
var words = []string{
	"a", "web", "nginx", "registry.k8s.io/pause:3.9", "Always", "IfNotPresent",
	"TCP", "HTTP", "In", "Restart", "RuntimeDefault", "NET_ADMIN",
	"/healthz?a=1", "metadata.name", "limits.cpu", "s0:c1,c2", "echo $(HOME) %s %d %!v(MISSING)",
	"<nil>", "(string)", "} s:(string)", "[]", "map[", " ",
	"repo/image@sha256:5f1ad36f", "--flag={\\\"a\\\":[1]}",
}

// fragments are pieces of JSON strings, raw and escaped, that encoders treat differently.
var fragments = []string{
	"<", ">", "&", `\"`, `\\`, `\/`, "'", `\b`, `\f`, `\u0008`, `\u000c`,
	`\n`, `\r`, `\t`, `\u0000`, `\u001f`, "\x7f", `\u2028`, "\u2029", "ü", "日本",
	"🦊", `\ud83e\udd8a`, `\ud800`, `\udc00x`, "\xff", "\xc3", "\ufeff", "e\u0301", "%", "{", "}", "[", "]", ":", ",",
}

func (g *Generator) text() {
	g.raw(`"`)
	switch g.random.IntN(10) {
	case 0:
	case 1, 2:
		for range 1 + g.random.IntN(6) {
			g.raw(fragments[g.random.IntN(len(fragments))])
		}
	case 3:
		for range 1 + g.random.IntN(8) {
			g.raw(words[g.random.IntN(len(words))])
		}
	case 4:
		for range 1 + g.random.IntN(30) {
			g.b = append(g.b, byte('a'+g.random.IntN(26)))
		}
	default:
		g.raw(words[g.random.IntN(len(words))])
	}
	g.raw(`"`)
}

var resources = []string{"cpu", "memory", "ephemeral-storage", "nvidia.com/gpu",
	"hugepages-2Mi", "hugepages-1Gi", "", "a<b>", "ü", "CPU"}

func (g *Generator) resourceList() {
	g.raw("{")
	for i, n := 0, g.random.IntN(4); i < n; i++ {
		if i > 0 {
			g.raw(",")
		}
		g.raw(`"` + resources[g.random.IntN(len(resources))] + `":`)
		if g.one(60) {
			g.raw("null")
			continue
		}
		g.quantity()
	}
	g.raw("}")
}

var quantities = []string{
	`"0"`, `0`, `"1"`, `1`, `"100m"`, `"0.5"`, `"1.5Gi"`, `"128Mi"`, `"1Gi"`,
	`"500M"`, `"1e3"`, `"1E3"`, `"1E"`, `"+1"`, `"-1"`, `"-0"`, `"007"`, `"1."`, `".5"`,
	`"0.0000000001"`, `"-0.0000000001"`, `"12345678901234567890123"`, `"9223372036854775807"`,
	`"9223372036854775808"`, `"1e-9"`, `"1n"`, `"1u"`, `"1k"`,
	`"1024Ki"`, `"1000"`, `"1000m"`, `"999999999999999999Ei"`, `1.5`, `1e3`,
	`0.1`, `"0Mi"`, `"0e5"`, `"1e18"`, `"1e19"`, `"-5Gi"`, `" 1 "`, `"1.23456789012345678901"`,
}

var suffixes = []string{"", "", "n", "u", "m", "k", "M", "G", "T", "P",
	"E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e0", "e3", "E3", "e-3", "e+2", "e12", "e-12", "E21"}

func (g *Generator) quantity() {
	if g.one(2) {
		g.raw(quantities[g.random.IntN(len(quantities))])
		return
	}
	g.raw(`"`)
	g.raw([...]string{"", "", "", "+", "-"}[g.random.IntN(5)])
	for range 1 + g.random.IntN(1+g.random.IntN(24)) {
		g.b = append(g.b, byte('0'+g.random.IntN(10)))
	}
	if g.one(3) {
		g.raw(".")
		for range g.random.IntN(14) {
			g.b = append(g.b, byte('0'+g.random.IntN(10)))
		}
	}
	g.raw(suffixes[g.random.IntN(len(suffixes))])
	g.raw(`"`)
}

package hash

import (
	"hash/adler32"
	"maps"
	"reflect"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// structPrint builds what the spew library prints for a Go value with the verb %#v and the kubelet's settings: types in
// parentheses in front of fields, none in front of elements and of what a pointer points to, <nil> for what is not
// there, and no strings quoted. The methods for structs are generated from the types of each minor.
type structPrint struct {
	b     []byte
	minor int
}

// structText appends the print of c to buffer. Kubernetes 1.5 printed its internal type, in the package api, which it
// converted from the v1 type field by field (kubelet v1.5 container/helpers.go HashContainer).
func structText(buffer []byte, minor int, c *corev1.Container) []byte {
	p := structPrint{b: buffer, minor: minor}
	if minor < fnvStructFrom {
		p.b = append(p.b, "(api.Container)"...)
		p.apiContainer(c)
	} else {
		p.b = append(p.b, "(v1.Container)"...)
		p.v1Container(c)
	}
	return p.b
}

// hashStruct returns the hash of c in an era that printed the struct, and what was printed.
func hashStruct(minor int, c *corev1.Container) Result {
	var buffer [4096]byte
	text := structText(buffer[:0], minor, c)
	sum := sumOfStruct(minor, text)
	era, _ := EraOf(minor)
	return Result{Algorithm: era.Algorithm, Sum: sum, Hex: formatSum(sum), Text: string(text)}
}

func sumOfStruct(minor int, text []byte) uint32 {
	if minor < fnvStructFrom {
		return adler32.Checksum(text)
	}
	sum := uint32(fnvOffset)
	for _, c := range text {
		sum = (sum ^ uint32(c)) * fnvPrime
	}
	return sum
}

// allStruct returns the hashes of the struct eras, oldest first. Minors whose types agree print the same, and so may
// those that added a field only to a struct that c does not have.
func allStruct(c *corev1.Container) []EraHash {
	var hashes []EraHash
	var buffer [4096]byte
	for i, minor := range structChanges {
		end := structTo
		if i+1 < len(structChanges) {
			end = structChanges[i+1] - 1
		}
		era, _ := EraOf(minor)
		h := EraHash{minor, end, era.Algorithm, formatSum(sumOfStruct(minor, structText(buffer[:0], minor, c)))}
		if last := len(hashes) - 1; last >= 0 && hashes[last].Algorithm == h.Algorithm && hashes[last].Hex == h.Hex {
			hashes[last].ToMinor = end
			continue
		}
		hashes = append(hashes, h)
	}
	return hashes
}

func (p *structPrint) null() { p.b = append(p.b, "<nil>"...) }

// gap separates the elements of a list.
func (p *structPrint) gap(i int) {
	if i > 0 {
		p.b = append(p.b, ' ')
	}
}

func (p *structPrint) int(n int64) { p.b = strconv.AppendInt(p.b, n, 10) }

func (p *structPrint) bool(v bool) { p.b = strconv.AppendBool(p.b, v) }

func (p *structPrint) intOrString(v *intstr.IntOrString) {
	p.b = append(p.b, "{Type:(intstr.Type)"...)
	p.int(int64(v.Type))
	p.b = append(p.b, " IntVal:(int32)"...)
	p.int(int64(v.IntVal))
	p.b = append(p.b, " StrVal:(string)"...)
	p.b = append(p.b, v.StrVal...)
	p.b = append(p.b, '}')
}

func (p *structPrint) resources(list corev1.ResourceList) {
	if list == nil {
		p.null()
		return
	}
	p.b = append(p.b, "map["...)
	for i, name := range slices.Sorted(maps.Keys(list)) {
		p.gap(i)
		p.b = append(p.b, name...)
		p.b = append(p.b, ':')
		q := list[name]
		p.quantity(&q)
	}
	p.b = append(p.b, ']')
}

// quantity prints the unexported fields too: a number with its scale of ten or, where that is too small, a decimal of
// any length; and the cached text, which decoding fills for whole numbers only, today as then.
func (p *structPrint) quantity(q *resource.Quantity) {
	v := reflect.ValueOf(q).Elem()
	i, decimal := v.Field(0), v.Field(1).Field(0)
	p.b = append(p.b, "{i:(resource.int64Amount){value:(int64)"...)
	p.int(i.Field(0).Int())
	p.b = append(p.b, " scale:(resource.Scale)"...)
	p.int(i.Field(1).Int())
	p.b = append(p.b, "} d:(resource.infDecAmount){Dec:(*inf.Dec)"...)
	if decimal.IsNil() {
		p.null()
	} else {
		unscaled := decimal.Elem().Field(0)
		p.b = append(p.b, "{unscaled:(big.Int){neg:(bool)"...)
		p.bool(unscaled.Field(0).Bool())
		p.b = append(p.b, " abs:(big.nat)"...)
		p.words(unscaled.Field(1))
		p.b = append(p.b, "} scale:(inf.Scale)"...)
		p.int(decimal.Elem().Field(1).Int())
		p.b = append(p.b, '}')
	}
	p.b = append(p.b, "} s:(string)"...)
	p.b = append(p.b, v.Field(2).String()...)
	p.b = append(p.b, " Format:(resource.Format)"...)
	p.b = append(p.b, q.Format...)
	p.b = append(p.b, '}')
}

// words prints the digits of a big number, 64 bits each on the machines that kubelets run on.
func (p *structPrint) words(abs reflect.Value) {
	if abs.IsNil() {
		p.null()
		return
	}
	p.b = append(p.b, '[')
	for i := range abs.Len() {
		p.gap(i)
		p.b = strconv.AppendUint(p.b, abs.Index(i).Uint(), 10)
	}
	p.b = append(p.b, ']')
}

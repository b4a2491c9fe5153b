package hash

import (
	"reflect"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// structPrint builds what the spew library prints for a Go value with the verb %#v and the kubelet's settings: types in
// parentheses in front of fields, none in front of elements and of what a pointer points to, <nil> for what is not
// there, and no strings quoted. The methods for structs are generated from the types of each minor.
type structPrint struct {
	printing
	adler  adler // the sum of 1.5
	tables *[len(structLiterals)]literal
}

func newStructPrint(minor int) structPrint {
	return structPrint{printing{sum: fnvOffset, minor: minor, until: structTo}, adler{a: 1}, structTables()}
}

func printStruct(minor int, c *corev1.Container) printing {
	p := newStructPrint(minor)
	p.container(c)
	return p.printing
}

// container prints c. Kubernetes 1.5 printed its internal type, in the package api, which it converted from the v1 type
// field by field (kubelet v1.5 container/helpers.go HashContainer).
func (p *structPrint) container(c *corev1.Container) {
	if p.minor >= fnvStructFrom {
		p.lit(litV1Container)
		p.v1Container(c)
		return
	}
	p.lit(litAPIContainer)
	p.apiContainer(c)
	p.sum, p.until = p.adler.sum(), fnvStructFrom-1
}

// lit prints the literal with that number.
func (p *structPrint) lit(number int) {
	if p.keep {
		p.text = append(p.text, structLiterals[number]...)
	}
	if l := &p.tables[number]; p.minor < fnvStructFrom {
		p.adler = p.adler.add(l.adler)
	} else {
		p.sum = l.step(p.sum)
	}
}

// raw prints a string as it is.
func (p *structPrint) raw(s string) { printRaw(p, s) }

func printRaw[T ~string | ~[]byte](p *structPrint, text T) {
	if p.keep {
		p.text = append(p.text, text...)
	}
	if p.minor < fnvStructFrom {
		p.adler = p.adler.add(adlerOf(text))
	} else {
		p.sum = sumOf(p.sum, text)
	}
}

// gap separates the elements of a list.
func (p *structPrint) gap(i int) {
	if i > 0 {
		p.lit(litGap)
	}
}

func (p *structPrint) int(n int64) {
	if n == 0 {
		p.lit(litZero)
		return
	}
	var digits [20]byte
	printRaw(p, strconv.AppendInt(digits[:0], n, 10))
}

func (p *structPrint) bool(v bool) {
	if v {
		p.lit(litTrue)
	} else {
		p.lit(litFalse)
	}
}

func (p *structPrint) intOrString(v *intstr.IntOrString) {
	p.lit(litIntOrString)
	p.int(int64(v.Type))
	p.lit(litIntVal)
	p.int(int64(v.IntVal))
	p.lit(litStrVal)
	p.raw(v.StrVal)
	p.lit(litEnd)
}

func (p *structPrint) resources(list corev1.ResourceList) {
	if list == nil {
		p.lit(litNil)
		return
	}
	p.lit(litMap)
	var buffer [8]corev1.ResourceName
	for i, name := range sortedNames(buffer[:0], list) {
		p.gap(i)
		p.raw(string(name))
		p.lit(litColon)
		q := list[name]
		p.quantity(&q)
	}
	p.lit(litListEnd)
}

// quantity prints the unexported fields too: a number with its scale of ten or, where that is too small, a decimal of
// any length; and the cached text, which decoding fills for whole numbers only, today as then.
func (p *structPrint) quantity(q *resource.Quantity) {
	v := reflect.ValueOf(q).Elem()
	i, decimal := v.Field(0), v.Field(1).Field(0)
	p.lit(litQuantity)
	p.int(i.Field(0).Int())
	p.lit(litScale)
	p.int(i.Field(1).Int())
	if decimal.IsNil() {
		p.lit(litNoDecimal)
	} else {
		unscaled := decimal.Elem().Field(0)
		p.lit(litDecimal)
		p.bool(unscaled.Field(0).Bool())
		p.lit(litDigits)
		p.words(unscaled.Field(1))
		p.lit(litDecimalScale)
		p.int(decimal.Elem().Field(1).Int())
		p.lit(litCached)
	}
	p.raw(v.Field(2).String())
	p.lit(litFormat)
	p.raw(string(q.Format))
	p.lit(litEnd)
}

// words prints the digits of a big number, 64 bits each on the machines that kubelets run on.
func (p *structPrint) words(abs reflect.Value) {
	if abs.IsNil() {
		p.lit(litNil)
		return
	}
	p.raw("[")
	for i := range abs.Len() {
		p.gap(i)
		p.raw(strconv.FormatUint(abs.Index(i).Uint(), 10))
	}
	p.lit(litListEnd)
}

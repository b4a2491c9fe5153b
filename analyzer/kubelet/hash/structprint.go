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
//
// All minors from 1.6 on are printed at once: their prints differ only in fields that came later, so each text goes to
// the sums of those minors that have it.
type structPrint struct {
	api bool  // print as 1.5 did
	sum adler // its sum
	// sums has one sum for each lane; those from first to last are being printed.
	sums        [len(laneStarts)]uint32
	first, last int
	tables      *[len(structLiterals)]literal
	keep        bool
	text        []byte
}

// laneStarts are the minors whose types, as far as a container reaches them, differ from those before. The minors up to
// the next print the same: a lane.
var laneStarts = [...]int{6, 7, 8, 9, 10, 12, 14, 15}

// laneOf returns the lane of a minor from 1.6 to 1.15.
func laneOf(minor int) int {
	lane := len(laneStarts) - 1
	for laneStarts[lane] > minor {
		lane--
	}
	return lane
}

// newStructPrint returns a print of the lanes from first to last.
func newStructPrint(first, last int) structPrint {
	p := structPrint{first: first, last: last, tables: structTables()}
	for i := range p.sums {
		p.sums[i] = fnvOffset
	}
	return p
}

// printStruct returns the sum of c for a minor up to 1.15.
func printStruct(minor int, c *corev1.Container) uint32 {
	if minor < fnvStructFrom {
		return printAPI(c)
	}
	lane := laneOf(minor)
	p := newStructPrint(lane, lane)
	p.v1(c)
	return p.sums[lane]
}

// printAPI returns the sum of 1.5, which printed its internal type, in the package api, converted from the v1 type
// field by field (kubelet v1.5 container/helpers.go HashContainer).
func printAPI(c *corev1.Container) uint32 {
	p := newStructPrint(0, -1)
	p.internal(c)
	return p.sum.sum()
}

func (p *structPrint) internal(c *corev1.Container) {
	p.api, p.sum = true, adler{a: 1}
	p.lit(litAPIContainer)
	p.apiContainer(c)
}

func (p *structPrint) v1(c *corev1.Container) {
	p.lit(litV1Container)
	p.v1Container(c)
}

// since leaves the lanes of older minors out, until first is set back, and reports whether any is left.
func (p *structPrint) since(minor int) bool {
	lane := laneOf(minor)
	if lane > p.last {
		return false
	}
	p.first = max(p.first, lane)
	return true
}

// lit prints the literal with that number.
func (p *structPrint) lit(number int) {
	if p.keep {
		p.text = append(p.text, structLiterals[number]...)
	}
	l := &p.tables[number]
	if p.api {
		p.sum = p.sum.add(l.adler)
		return
	}
	for i := p.first; i <= p.last; i++ {
		p.sums[i] = l.step(p.sums[i])
	}
}

// raw prints a string as it is.
func (p *structPrint) raw(s string) { printRaw(p, s) }

func printRaw[T ~string | ~[]byte](p *structPrint, text T) {
	if p.keep {
		p.text = append(p.text, text...)
	}
	if p.api {
		p.sum = p.sum.add(adlerOf(text))
		return
	}
	i := p.first
	for ; i+3 <= p.last; i += 4 {
		sumFour((*[4]uint32)(p.sums[i:i+4]), text)
	}
	for ; i <= p.last; i++ {
		p.sums[i] = sumOf(p.sums[i], text)
	}
}

// sumFour is sumOf for four sums at once, none of which has to wait for another.
func sumFour[T ~string | ~[]byte](sums *[4]uint32, text T) {
	a, b, c, d := sums[0], sums[1], sums[2], sums[3]
	for i := range len(text) {
		t := uint32(text[i])
		a, b, c, d = (a^t)*fnvPrime, (b^t)*fnvPrime, (c^t)*fnvPrime, (d^t)*fnvPrime
	}
	sums[0], sums[1], sums[2], sums[3] = a, b, c, d
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

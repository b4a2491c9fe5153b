package main

import (
	"bytes"
	"fmt"
	"strings"
)

// nameStruct enters the literals that structprint.go asks for.
func nameStruct(l *literals) {
	l.name("litAPIContainer", "(api.Container)")
	l.name("litV1Container", "(v1.Container)")
	l.name("litNil", "<nil>")
	l.name("litZero", "0")
	l.name("litGap", " ")
	l.name("litListEnd", "]")
	l.name("litTrue", "true")
	l.name("litFalse", "false")
	l.name("litMap", "map[")
	l.name("litColon", ":")
	l.name("litQuantity", "{i:(resource.int64Amount){value:(int64)")
	l.name("litScale", " scale:(resource.Scale)")
	l.name("litNoDecimal", "} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)")
	l.name("litDecimal", "} d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)")
	l.name("litDigits", " abs:(big.nat)")
	l.name("litDecimalScale", "} scale:(inf.Scale)")
	l.name("litCached", "}} s:(string)")
	l.name("litFormat", " Format:(resource.Format)")
	l.name("litIntOrString", "{Type:(intstr.Type)")
	l.name("litIntVal", " IntVal:(int32)")
	l.name("litStrVal", " StrVal:(string)")
	l.name("litEnd", "}")
}

// forgetTags drops what the print of a struct does not show, so that a field whose tag changed stays one field.
func forgetTags(structs map[string][]field) {
	for _, fields := range structs {
		for i := range fields {
			fields[i].json = ""
		}
	}
}

func (g *generator) structMethod(name string) {
	if g.seen[name] {
		return
	}
	g.seen[name] = true
	fields := g.order[name]
	goType := name
	if name == "Handler" {
		goType = "LifecycleHandler"
	}
	var body bytes.Buffer
	for i, f := range fields {
		text := " " + f.name + ":"
		if i == 0 {
			text = "{" + f.name + ":"
			if g.isNew(name, f) {
				fail(fmt.Errorf("the first field of %s is not in every minor", name))
			}
		}
		code := g.printed(text, f)
		if g.isNew(name, f) {
			code = fmt.Sprintf("if lane := p.first; p.since(%d) {\n%sp.first = lane\n}\n", f.from, code)
		}
		body.WriteString(code)
	}
	fmt.Fprintf(g.out, "\nfunc (p *structPrint) %s%s(v *corev1.%s) {\n%sp.lit(litEnd)\n}\n", g.pkg, name, goType, body.Bytes())
	for _, f := range fields {
		if kind, base, _, _ := g.basic(f); kind == "struct" {
			g.structMethod(base)
		}
	}
}

// printed returns the code that prints one field: its name, its type in parentheses, its value.
func (g *generator) printed(text string, f field) string {
	value := "v." + f.name
	kind, base, pointer, list := g.basic(f)
	if _, named := g.kinds[base]; named {
		text += "(" + strings.TrimSuffix(f.typ, base) + g.pkg + "." + base + ")"
	} else {
		text += "(" + f.typ + ")"
	}
	one := func(v string) string {
		switch kind {
		case "struct":
			if base == "Handler" && !pointer {
				// Today's two handler types have more fields; those that were there then are the same.
				return fmt.Sprintf("p.%sHandler(&corev1.LifecycleHandler{Exec: v.Exec, HTTPGet: v.HTTPGet, TCPSocket: v.TCPSocket})\n", g.pkg)
			}
			return fmt.Sprintf("p.%s%s(%s)\n", g.pkg, base, address(v, pointer))
		case "string":
			return fmt.Sprintf("p.raw(string(%s))\n", deref(v, pointer))
		case "bool":
			return fmt.Sprintf("p.bool(%s)\n", deref(v, pointer))
		case "int32", "int64":
			return fmt.Sprintf("p.int(int64(%s))\n", deref(v, pointer))
		case "map":
			return fmt.Sprintf("p.resources(%s)\n", v)
		case "resource.Quantity":
			return fmt.Sprintf("p.quantity(%s)\n", address(v, pointer))
		case "intstr.IntOrString":
			return fmt.Sprintf("p.intOrString(%s)\n", address(v, pointer))
		}
		fail(fmt.Errorf("no way to print %s %s", f.name, f.typ))
		return ""
	}
	switch {
	case pointer:
		return fmt.Sprintf("if %s == nil {\n%s} else {\n%s%s}\n", value, g.lit(text+"<nil>"), g.lit(text), one(value))
	case list:
		return fmt.Sprintf("if %s == nil {\n%s} else {\n%sfor i := range %s {\np.gap(i)\n%s}\np.lit(litListEnd)\n}\n",
			value, g.lit(text+"<nil>"), g.lit(text+"["), value, one(value+"[i]"))
	}
	return g.lit(text) + one(value)
}

package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// nameJSON enters the literals that jsonprint.go asks for.
func nameJSON(l *literals) {
	l.name("litObject", "{")
	l.name("litComma", ",")
	l.name("litEmptyObject", "{}")
	l.name("litObjectEnd", "}")
	l.name("litQuote", `"`)
	l.name("litKeyEnd", `":`)
	l.name("litArrayEnd", "]")
	l.name("litJSONTrue", "true")
	l.name("litJSONFalse", "false")
	l.name("litImage", `{"image":"`)
	l.name("litName", `","name":"`)
}

// renameHandler gives the handler of the minors up to 1.22 the names of its two successors.
func renameHandler(structs map[string][]field, kinds map[string]string) {
	handler, ok := structs["Handler"]
	if !ok {
		return
	}
	structs["ProbeHandler"], structs["LifecycleHandler"] = handler, handler
	kinds["ProbeHandler"], kinds["LifecycleHandler"] = "struct", "struct"
	for i := range structs["Probe"] {
		if f := &structs["Probe"][i]; f.typ == "Handler" {
			f.name, f.typ = "ProbeHandler", "ProbeHandler"
		}
	}
	for i := range structs["Lifecycle"] {
		if f := &structs["Lifecycle"][i]; f.typ == "*Handler" {
			f.typ = "*LifecycleHandler"
		}
	}
}

// jsonMethod writes the method that prints the fields of a struct, without the braces around them.
func (g *generator) jsonMethod(name string) {
	if g.seen[name] {
		return
	}
	g.seen[name] = true
	fields := g.order[name]
	var body bytes.Buffer
	for _, f := range fields {
		set, code := g.encoded(name, f)
		if g.isNew(name, f) {
			code = fmt.Sprintf("if p.since(%d) {\n%s}\n", f.from, code)
		}
		if set != "" {
			code = fmt.Sprintf("if %s {\n%s}\n", set, code)
		}
		body.WriteString(code)
	}
	fmt.Fprintf(g.out, "\nfunc (p *jsonPrint) %s(v *corev1.%s) {\n%s}\n", methodName(name), name, body.Bytes())
	for _, f := range fields {
		if kind, base, _, _ := g.basic(f); kind == "struct" {
			g.jsonMethod(base)
		}
	}
}

func methodName(typ string) string { return strings.ToLower(typ[:1]) + typ[1:] }

// encoded returns the condition under which encoding/json writes a field, empty for always, and the code that does.
func (g *generator) encoded(owner string, f field) (set, code string) {
	value := "v." + f.name
	key, options, _ := strings.Cut(f.json, ",")
	omit := strings.Contains(options, "omitempty")
	kind, base, pointer, list := g.basic(f)
	if key == "" {
		return "", fmt.Sprintf("p.%s(&%s)\n", methodName(base), value)
	}
	key = strconv.Quote(key) + ":"
	one := func(head, v string, pointer bool) string {
		quote := ""
		if kind == "string" {
			quote = `"`
		}
		open := "p.next()\n"
		switch {
		case head != "":
			open += g.lit(head + quote)
		case quote != "":
			open = "p.lit(litQuote)\n"
		default:
			open = ""
		}
		switch kind {
		case "struct":
			return open + fmt.Sprintf("p.object()\np.%s(%s)\np.objectEnd()\n", methodName(base), address(v, pointer))
		case "string":
			return open + fmt.Sprintf("p.string(string(%s))\np.lit(litQuote)\n", deref(v, pointer))
		case "bool":
			return open + fmt.Sprintf("p.bool(%s)\n", deref(v, pointer))
		case "int32", "int64":
			return open + fmt.Sprintf("p.int(int64(%s))\n", deref(v, pointer))
		case "map":
			return open + fmt.Sprintf("p.resources(%s)\n", v)
		case "resource.Quantity":
			return open + fmt.Sprintf("p.quantity(%s)\n", deref(v, pointer))
		case "intstr.IntOrString":
			return open + fmt.Sprintf("p.intOrString(%s)\n", address(v, pointer))
		}
		fail(fmt.Errorf("no way to encode %s.%s %s", owner, f.name, f.typ))
		return ""
	}
	switch {
	case !omit && pointer:
		return "", fmt.Sprintf("if %s == nil {\np.next()\n%s} else {\n%s}\n", value, g.lit(key+"null"), one(key, value, true))
	case !omit && (list || kind == "map"):
		fail(fmt.Errorf("%s.%s may be null, which nothing else is", owner, f.name))
	case pointer:
		set = value + " != nil"
	case list:
		return "len(" + value + ") > 0", fmt.Sprintf("p.next()\n%sfor i := range %s {\np.comma(i)\n%s}\np.lit(litArrayEnd)\n",
			g.lit(key+"["), value, one("", value+"[i]", false))
	case omit && kind == "map":
		set = "len(" + value + ") > 0"
	case omit && kind == "string":
		set = value + ` != ""`
	case omit && kind == "bool":
		set = value
	case omit && strings.HasPrefix(kind, "int") && kind != "intstr.IntOrString":
		set = value + " != 0"
	}
	return set, one(key, value, pointer)
}

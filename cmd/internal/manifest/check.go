package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// ErrUnknownField is wrapped by errors about a field that the API does not have.
var ErrUnknownField = errors.New("no such field")

var (
	errUnreadable = errors.New("the value has the wrong form for this field")
	errQuantity   = errors.New("not a quantity: want a number with a unit, such as 128Mi or 500m")
	errAbsurd     = errors.New("not a quantity that a node could have")
)

// place is the path of a field, such as spec.containers[0].image.
type place struct{ path string }

func (p place) field(name string) place {
	if len(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r > '~' }) {
		name = strconv.QuoteToASCII(name[:min(len(name), maxName)])
	}
	if p.path == "" {
		return place{name}
	}
	return place{p.path + "." + name}
}

// maxName is how much of a field's name is shown.
const maxName = 80

func (p place) index(i int) place { return place{fmt.Sprintf("%s[%d]", p.path, i)} }

func (p place) String() string {
	if p.path == "" {
		return "the document"
	}
	return p.path
}

// want returns the error for a value of a wrong type. The value itself is never shown.
func (p place) want(what string, got any) error {
	have := "nothing"
	switch got.(type) {
	case map[string]any:
		have = "an object"
	case []any:
		have = "a list"
	case string:
		have = "a text"
	case json.Number:
		have = "a number"
	case bool:
		have = "true or false"
	}
	hint := ""
	if what == "a text" && (have == "a number" || have == "true or false") {
		hint = "; put it in quotes"
	}
	return fmt.Errorf("%s: want %s, got %s%s", p, what, have, hint)
}

// check walks a decoded value along its target type, so that an error can name the field with its index: unknown
// fields, values of another type, numbers out of range, and quantities.
func check(t reflect.Type, value any, at place) error {
	if value == nil {
		return nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[resource.Quantity]():
		return checkQuantity(value, at)
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		raw, err := json.Marshal(value)
		if err != nil || json.Unmarshal(raw, reflect.New(t).Interface()) != nil {
			return fmt.Errorf("%s: %w", at, errUnreadable)
		}
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return checkStruct(t, value, at)
	case reflect.Map:
		object, ok := value.(map[string]any)
		if !ok {
			return at.want("an object", value)
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if err := check(t.Elem(), object[key], at.field(key)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return checkText(value, at)
		}
		list, ok := value.([]any)
		if !ok {
			return at.want("a list", value)
		}
		for i, item := range list {
			if err := check(t.Elem(), item, at.index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			return at.want("true or false", value)
		}
		return nil
	case reflect.Int32, reflect.Int64:
		number, ok := value.(json.Number)
		if !ok {
			return at.want("a number", value)
		}
		if _, err := strconv.ParseInt(number.String(), 10, t.Bits()); err != nil {
			return fmt.Errorf("%s: want a whole number of at most %d bits", at, t.Bits())
		}
		return nil
	}
	return checkText(value, at)
}

func checkText(value any, at place) error {
	if _, ok := value.(string); !ok {
		return at.want("a text", value)
	}
	return nil
}

func checkStruct(t reflect.Type, value any, at place) error {
	object, ok := value.(map[string]any)
	if !ok {
		return at.want("an object", value)
	}
	known := fieldsOf(t)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		field, ok := known[name]
		if !ok {
			return fmt.Errorf("%s: %w", at.field(name), ErrUnknownField)
		}
		if err := check(field, object[name], at.field(name)); err != nil {
			return err
		}
	}
	return nil
}

// fieldsOf returns the types of a struct's fields by their JSON names, including those of inlined structs.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
			maps.Copy(fields, fieldsOf(f.Type))
		default:
			fields[name] = f.Type
		}
	}
	return fields
}

// Limits for quantities. A large exponent would be computed digit by digit, and a value above the maximum is silently
// reduced to it.
const (
	maxQuantityText     = 64
	maxQuantityExponent = 30
)

func checkQuantity(value any, at place) error {
	text := ""
	switch v := value.(type) {
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	default:
		return at.want("a quantity", value)
	}
	if len(text) > maxQuantityText {
		return fmt.Errorf("%s: %w", at, errAbsurd)
	}
	if i := strings.LastIndexAny(text, "eE"); i >= 0 && i+1 < len(text) {
		if exponent, err := strconv.Atoi(text[i+1:]); err == nil &&
			(exponent > maxQuantityExponent || exponent < -maxQuantityExponent) {
			return fmt.Errorf("%s: %w", at, errAbsurd)
		} else if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%s: %w", at, errAbsurd)
		}
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return fmt.Errorf("%s: %w", at, errQuantity)
	}
	largest := resource.MustParse("9223372036854775807")
	smallest := resource.MustParse("-9223372036854775807")
	if q.Cmp(largest) >= 0 || q.Cmp(smallest) <= 0 {
		return fmt.Errorf("%s: %w", at, errAbsurd)
	}
	return nil
}

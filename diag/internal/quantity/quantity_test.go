package quantity

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestQuantitiesThatWouldKeepTheParserBusyAreRefused(t *testing.T) {
	limit := func(q string) string {
		return `{"kind":"Pod","metadata":{"uid":"u","name":"x"},"spec":{"containers":[{"name":"a","resources":{"limits":{"memory":` + q + `}}}]}}`
	}
	cases := map[string]struct {
		object string
		bad    bool
	}{
		"an ordinary limit":          {limit(`"64Mi"`), false},
		"an ordinary exponent":       {limit(`"1e6"`), false},
		"a negative exponent":        {limit(`"1e-99999999"`), true},
		"a big letter and a plus":    {limit(`"1E+99999999"`), true},
		"a number and not a string":  {limit(`1e-99999999`), true},
		"blanks around":              {limit(`" 1e-99999999 "`), true},
		"very many digits":           {limit(`"` + strings.Repeat("9", 200) + `"`), true},
		"the field in other letters": {strings.Replace(limit(`"1e-99999999"`), "limits", "LIMITS", 1), true},
		"the field twice": {strings.Replace(limit(`"1e-99999999"`), `}}]`, `},"resources":{"limits":{}}}]`, 1),
			true},
		"a list around it": {strings.Replace(limit(`"64Mi"`), `"name":"a",`,
			`"name":"a","env":[{"valueFrom":{"resourceFieldRef":{"divisor":"1e-99999999"}}}],`, 1), true},
		"a volume": {
			`{"kind":"Pod","metadata":{"uid":"u"},"spec":{"volumes":[{"emptyDir":{"sizeLimit":"1e-99999999"}}]}}`, true},
		"a node": {
			`{"kind":"Node","metadata":{"name":"n"},"status":{"capacity":{"cpu":"1e-99999999"}}}`, true},
		"an escaped letter":            {limit(`"1\u0065-99999999"`), true},
		"escaped digits":               {limit(`"\u0031\u0045\u002d9999\u0039999"`), true},
		"an escaped blank before":      {limit(`"\u00a01e-99999999"`), true},
		"an escaped line break before": {limit(`"\n1e-99999999"`), true},
		"a commit's hash in a label": {
			`{"kind":"Pod","metadata":{"uid":"u","labels":{"commit":"12e4567","list":"1e999"}}}`, false},
		"the digits of a container's id": {
			`{"kind":"Pod","metadata":{"uid":"u"},"status":{"containerStatuses":[{"containerID":"containerd://12e45678"}]}}`,
			false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if bad := errors.Is(Check([]byte(c.object)), ErrDigits); bad != c.bad {
				t.Errorf("refused: %v", bad)
			}
		})
	}
	if err := Check([]byte(`{"limits":{"a":1e-9999}`)); !errors.Is(err, ErrDigits) {
		t.Errorf("an object that was cut: %v", err)
	}
}

// TestEveryFieldWithQuantitiesIsKnown walks the API types, so that a quantity in
// a field of a later version does not slip by.
func TestEveryFieldWithQuantitiesIsKnown(t *testing.T) {
	quantity, found := reflect.TypeOf(resource.Quantity{}), 0
	var walk func(reflect.Type, []string, int)
	walk = func(typ reflect.Type, path []string, depth int) {
		if typ == quantity {
			found++
			for _, field := range path {
				if holdsQuantities(field) {
					return
				}
			}
			t.Errorf("quantities at %s are not checked", strings.Join(path, "."))
			return
		}
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(typ.Elem(), path, depth)
		case reflect.Struct:
			for i := 0; i < typ.NumField() && depth < 12; i++ {
				f := typ.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				next := append(append([]string(nil), path...), name)
				if f.IsExported() {
					walk(f.Type, next, depth+1)
				}
			}
		}
	}
	for _, o := range []any{corev1.Pod{}, corev1.Node{}, corev1.Event{}} {
		walk(reflect.TypeOf(o), nil, 0)
	}
	if found < 10 {
		t.Errorf("only %d fields found", found)
	}
}

func BenchmarkCheckQuantities(b *testing.B) {
	raw := []byte(
		strings.Repeat(
			`{"name":"web-0","uid":"5f0c","memory":"64Mi","containerID":"containerd://0123456789abcdef0123456789"},`, 100))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		hugeNumber(raw)
	}
}

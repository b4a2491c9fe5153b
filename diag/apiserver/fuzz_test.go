package apiserver

import (
	"encoding/json"
	"errors"
	"testing"
)

// A huge quantity is refused wherever a quantity may stand, however it is written, and
// nowhere else.
func FuzzCheckQuantities(f *testing.F) {
	for _, s := range []string{"128Mi", "1e9999999", "1E+100", "0.1e-2", "deadbeef1e2345", "\x00", `"}`, "1e"} {
		f.Add(s, []byte(`{"limits":{"memory":1e999}}`))
	}
	f.Add("1", []byte(`{"limits":[1,{"a":"1e1000"}],"b":`))
	f.Add("1", []byte(`}]{"a":1e1000`))
	f.Fuzz(func(t *testing.T, quantity string, raw []byte) {
		text, err := json.Marshal(quantity)
		if err != nil {
			t.Skip("not to be written as JSON")
		}
		var read string
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		huge := hugeNumber([]byte(read))
		if err := checkQuantities([]byte(`{"spec":{"resources":{"LIMITS":{"memory":` + string(text) + `}}}}`)); errors.Is(err, errQuantity) != huge {
			t.Errorf("a limit of %s: %v, want huge %v", text, err, huge)
		}
		if err := checkQuantities([]byte(`{"metadata":{"labels":{"commit":` + string(text) + `}}}`)); err != nil {
			t.Errorf("a label of %s: %v", text, err)
		}
		if err := checkQuantities(raw); err != nil && !hugeNumber(raw) {
			t.Errorf("%s: %v", raw, err)
		}
	})
}

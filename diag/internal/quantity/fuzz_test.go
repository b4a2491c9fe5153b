package quantity

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
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
		// What begins with a letter is no quantity, however it goes on.
		huge := hugeNumber([]byte(read))
		err = Check([]byte(`{"spec":{"resources":{"LIMITS":{"memory":` + string(text) + `}}}}`))
		if refused := errors.Is(err, ErrDigits); refused && !huge || !refused && leads(strings.TrimSpace(read)) {
			t.Errorf("a limit of %s: %v, huge: %v", text, err, huge)
		}
		if err := Check([]byte(`{"metadata":{"labels":{"commit":` + string(text) + `}}}`)); err != nil {
			t.Errorf("a label of %s: %v", text, err)
		}
		if err := Check(raw); err != nil && !hugeNumber(raw) && !bytes.Contains(raw, []byte(`\u`)) {
			t.Errorf("%s: %v", raw, err)
		}
	})
}

// leads reports whether a text is huge from its first number on.
func leads(s string) bool {
	s = strings.TrimLeft(s, "+-")
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.') {
		end++
	}
	return end > maxDigits || end > 0 && end < len(s) && s[end]|0x20 == 'e' && longExponent([]byte(s[end+1:]))
}

package safetext

import (
	"encoding/json"
	"testing"
)

// A bundle's texts were safe once; who changed it since is not known.
func FuzzUnmarshal(f *testing.F) {
	for _, s := range []string{`"plain"`, `"\u001b[31m"`, `"\u202e"`, `"\ud800"`, `null`, `{}`, `"` + "\x80" + `"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var text, again Text
		if json.Unmarshal(data, &text) != nil {
			return
		}
		if !Safe(text.String()) {
			t.Fatalf("%q became %q", data, text.String())
		}
		out, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &again); err != nil || again != text {
			t.Errorf("%q, written as %s, is read as %q, %v", text.String(), out, again.String(), err)
		}
	})
}

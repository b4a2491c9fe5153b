package nodefile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// An entry that cannot be read costs itself, and is counted.
func FuzzEach(f *testing.F) {
	f.Add([]byte(`[{"a":1},{"a":"x"},null,[],{"a":1e999}]`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var raw []json.RawMessage
		if json.Unmarshal(data, &raw) != nil {
			t.Skip("no list")
		}
		used := 0
		err := Each(raw, func(struct{ A int }) { used++ })
		if (err == nil) != (used == len(raw)) {
			t.Fatalf("%d of %d used, %v", used, len(raw), err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("%d of %d ", len(raw)-used, len(raw))) {
			t.Errorf("%d of %d used, but %v", used, len(raw), err)
		}
	})
}

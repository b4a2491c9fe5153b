package peer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Shrink returns a smaller case for which differs still holds, as small as possible by removing keys and elements and
// shortening strings. A line that is no JSON object is returned unchanged.
func Shrink(line []byte, differs func([]byte) bool) []byte {
	for {
		smaller := smallerThan(line, differs)
		if smaller == nil {
			return line
		}
		line = smaller
	}
}

func smallerThan(line []byte, differs func([]byte) bool) []byte {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var root map[string]any
	if d.Decode(&root) != nil {
		return nil
	}
	var found []byte
	try := func() bool {
		text, err := json.Marshal(root)
		if err != nil {
			return false
		}
		text = append(text, '\n')
		// A step that only changes the spelling would repeat forever.
		if len(text) < len(line) && differs(text) {
			found = text
		}
		return found != nil
	}
	walk(root, func(any) {}, try)
	return found
}

// walk tries each way to make v smaller; it stops when try holds.
func walk(v any, set func(any), try func() bool) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			old := v[k]
			delete(v, k)
			if try() {
				return true
			}
			v[k] = old
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if walk(v[k], func(n any) { v[k] = n }, try) {
				return true
			}
		}
	case []any:
		for i := range v {
			set(slices.Delete(slices.Clone(v), i, i+1))
			if try() {
				return true
			}
		}
		set(v)
		for i := range v {
			if walk(v[i], func(n any) { v[i] = n }, try) {
				return true
			}
		}
	case string:
		runes := []rune(v)
		for i := range runes {
			set(string(slices.Delete(slices.Clone(runes), i, i+1)))
			if try() {
				return true
			}
		}
		set(v)
	}
	return false
}

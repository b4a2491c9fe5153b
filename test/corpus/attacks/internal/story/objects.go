package story

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Objects changes every matching object in the JSON files of an entry, and reports whether there was one.
func Objects(e *entry.Entry, fits func(Object) bool, change func(Object)) (*entry.Entry, bool) {
	c, found := *e, false
	c.Files = maps.Clone(e.Files)
	var walk func(any) bool
	walk = func(v any) (changed bool) {
		switch v := v.(type) {
		case Object:
			if fits(v) {
				change(v)
				changed = true
			}
			for _, of := range v {
				changed = walk(of) || changed
			}
		case []any:
			for _, of := range v {
				changed = walk(of) || changed
			}
		}
		return changed
	}
	for name, data := range e.Files {
		var v any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if path.Ext(name) != ".json" || d.Decode(&v) != nil || !walk(v) {
			continue
		}
		if data, err := json.Marshal(v); err == nil {
			c.Files[name], found = data, true
		}
	}
	return &c, found
}

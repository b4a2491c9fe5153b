package describe

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"sigs.k8s.io/yaml"
)

// Parses reports whether objects in JSON or YAML can be read from first to last, as their own reader does.
func Parses(text []byte) bool {
	var v any
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			if err := d.Decode(&v); err != nil {
				return errors.Is(err, io.EOF)
			}
		}
	}
	for doc := range bytes.SplitSeq(text, []byte("\n---")) {
		if _, rest, ends := bytes.Cut(doc, []byte("\n...\n")); ends && len(bytes.TrimSpace(rest)) > 0 {
			return false // the parser stops there
		}
		if yaml.Unmarshal(doc, &v) != nil {
			return false
		}
	}
	return true
}

package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
)

// object is a JSON object of which only the lists are decoded.
type object map[string]json.RawMessage

const askForLess = "ask for less: a name, a namespace, a cause or a time"

// shorten keeps JSON within limit bytes: it cuts the end of its longest list, which starts with the most important
// elements, and the evidence that is no longer cited. left says what is missing, "" if nothing is.
func shorten(answer []byte, limit int) (short []byte, left string, err error) {
	var packed bytes.Buffer
	if err := json.Compact(&packed, answer); err != nil {
		return nil, "", err
	}
	if packed.Len() <= limit {
		return packed.Bytes(), "", nil
	}
	var whole object
	if err := json.Unmarshal(answer, &whole); err != nil {
		return nil, "", err
	}
	name, list := whole.longest()
	// one more would make the answer too long
	n := sort.Search(len(list), func(i int) bool { return len(whole.with(name, list[:i+1])) > limit })
	short = whole.with(name, list[:n])
	if len(short) > limit {
		return nil, "", fmt.Errorf("it has %d bytes, of %d that are allowed: %s", packed.Len(), limit, askForLess)
	}
	return short, fmt.Sprintf("This answer was shortened to %d bytes: %q has the first %d of %d; %s.",
		limit, name, n, len(list), askForLess), nil
}

// evidence is the list that other lists cite.
const evidence = "evidence"

// longest finds the list that takes the most bytes, except evidence.
func (o object) longest() (name string, list []json.RawMessage) {
	for key, raw := range o {
		var l []json.RawMessage
		if key != evidence && len(raw) > len(o[name]) && json.Unmarshal(raw, &l) == nil {
			name, list = key, l
		}
	}
	return name, list
}

// with returns the object with a shorter list, as JSON.
func (o object) with(name string, list []json.RawMessage) []byte {
	var cited []json.RawMessage
	if json.Unmarshal(o[evidence], &cited) == nil {
		text := encode(list)
		cited = slices.DeleteFunc(cited, func(e json.RawMessage) bool {
			var it struct {
				ID string `json:"id"`
			}
			return json.Unmarshal(e, &it) != nil || !bytes.Contains(text, []byte(`"`+it.ID+`"`))
		})
	}
	out := object{}
	for key, raw := range o {
		switch {
		case key == name:
			raw = encode(list)
		case key == evidence && cited != nil:
			raw = encode(cited)
		}
		out[key] = raw
	}
	return encode(out)
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("write what was read as JSON: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

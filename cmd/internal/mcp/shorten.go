package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
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
	if err := json.Unmarshal(packed.Bytes(), &whole); err != nil {
		return nil, "", err
	}
	name, list := whole.longest()
	n := whole.fitting(name, list, limit)
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

// fitting returns how many of a list's elements fit, with the evidence that they cite.
func (o object) fitting(name string, list []json.RawMessage, limit int) (n int) {
	size := map[string]int{}
	for id, e := range o.evidence() {
		size[id] = len(e) + len(",")
	}
	length := len(o.with(name, nil))
	for _, element := range list {
		if n > 0 {
			length += len(",")
		}
		length += len(element)
		for id := range stringsIn(element) {
			length += size[id]
			delete(size, id)
		}
		if length > limit {
			break
		}
		n++
	}
	return n
}

// evidence yields the evidence with its ids, in order.
func (o object) evidence() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		var list []json.RawMessage
		if json.Unmarshal(o[evidence], &list) != nil {
			return
		}
		for _, e := range list {
			var it struct {
				ID string `json:"id"`
			}
			if json.Unmarshal(e, &it) == nil && !yield(it.ID, e) {
				return
			}
		}
	}
}

// stringsIn yields the strings in a JSON value: an id of evidence among them cites it.
func stringsIn(raw json.RawMessage) iter.Seq[string] {
	return func(yield func(string) bool) {
		d := json.NewDecoder(bytes.NewReader(raw))
		for {
			token, err := d.Token()
			if err != nil {
				return
			}
			if s, ok := token.(string); ok && !yield(s) {
				return
			}
		}
	}
}

// with returns the object with a shorter list and the evidence that this cites, as JSON.
func (o object) with(name string, list []json.RawMessage) []byte {
	out := maps.Clone(o)
	out[name] = encode(append([]json.RawMessage{}, list...))
	if _, has := o[evidence]; has {
		cited := map[string]bool{}
		for _, element := range list {
			for id := range stringsIn(element) {
				cited[id] = true
			}
		}
		kept := []json.RawMessage{}
		for id, e := range o.evidence() {
			if cited[id] {
				kept = append(kept, e)
			}
		}
		out[evidence] = encode(kept)
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

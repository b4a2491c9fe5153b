// Package jsonlist finds the items of a list of Kubernetes objects without decoding them. It imports the standard
// library only, and knows nothing of what the items are.
package jsonlist

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Cut finds the objects of the list "items" of a document, and where they stand. It
// is ok where there is exactly one such list, of objects only and in order; everything
// else is left to encoding/json, which decides what it means.
func Cut(data []byte) (from, to int, items []json.RawMessage, ok bool) {
	key := false // whether what comes next, at the top, may be a key
	for i, depth := 0, 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
			key = depth == 1
		case '}', ']':
			depth--
		case ',':
			key = depth == 1
		case '"':
			end := stringEnd(data, i)
			if end < 0 || depth == 1 && key && bytes.IndexByte(data[i:end], '\\') >= 0 {
				return 0, 0, nil, false // "\u0069tems" means the same
			}
			if depth == 1 && key && strings.EqualFold(string(data[i+1:end-1]), "items") {
				if to > 0 {
					return 0, 0, nil, false
				}
				if from, to, items = objects(data, end); to == 0 {
					return 0, 0, nil, false
				}
				end = to
				i = end // the bracket that ends the list
				key = false
				continue
			}
			key = false
			i = end - 1
		}
	}
	return from, to, items, to > 0
}

// objects cuts a list of objects that begins behind at, with its colon. from and to are
// what stands between its brackets; to is 0 where there is no such list.
func objects(data []byte, at int) (from, to int, items []json.RawMessage) {
	at = blank(data, at)
	if at == len(data) || data[at] != ':' {
		return 0, 0, nil
	}
	if at = blank(data, at+1); at == len(data) || data[at] != '[' {
		return 0, 0, nil
	}
	from = at + 1
	items = []json.RawMessage{}
	for at = blank(data, from); at < len(data) && data[at] == '{'; {
		end := objectEnd(data, at)
		if end < 0 {
			return 0, 0, nil
		}
		items = append(items, data[at:end:end])
		at = blank(data, end)
		if at == len(data) || data[at] != ',' {
			break
		}
		if at = blank(data, at+1); at < len(data) && data[at] == ']' {
			return 0, 0, nil // a comma with nothing behind it
		}
	}
	if at == len(data) || data[at] != ']' {
		return 0, 0, nil
	}
	return from, at, items
}

// objectEnd is where the object that begins at i ends, -1 if it does not.
func objectEnd(data []byte, i int) int {
	for depth := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(data, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		}
	}
	return -1
}

// stringEnd is where the string that begins at i ends, with its quote; -1 if it does not.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// blank is where, from i on, something else than a blank stands.
func blank(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

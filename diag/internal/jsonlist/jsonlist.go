// Package jsonlist finds the items of a list of Kubernetes objects without decoding them. It imports only the standard
// library, and does not know what the items are.
package jsonlist

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Cut finds the objects of a document's "items" list and its position. It is ok if there is exactly one such list, with
// only objects and in order; everything else is left to encoding/json.
func Cut(data []byte) (from, to int, items []json.RawMessage, ok bool) {
	key := false // whether the next token, at the top level, may be a key
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
				i = end // the bracket that closes the list
				key = false
				continue
			}
			key = false
			i = end - 1
		}
	}
	return from, to, items, to > 0
}

// objects splits a list of objects that begins after at, with its colon. from and to are the positions inside its
// brackets; to is 0 if there is no such list.
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
			return 0, 0, nil // a comma with nothing after it
		}
	}
	if at == len(data) || data[at] != ']' {
		return 0, 0, nil
	}
	return from, at, items
}

// objectEnd returns the end of the object that begins at i, -1 if there is none.
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

// stringEnd returns the end of the string that begins at i, including its quote; -1 if there is none.
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

// blank returns the position of the first character from i on that is not a blank.
func blank(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

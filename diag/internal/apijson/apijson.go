// Package apijson decodes objects of the Kubernetes API from JSON, in half the time that encoding/json takes: a file
// may have 100 000 of them.
//
// It holds the options alone, and imports the decoder. What objects mean never enters.
package apijson

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient are the liberties that encoding/json takes, and with it every client of the API: fields in any case, fields
// that are there twice, of which the last counts, and bytes that are not UTF-8.
var lenient = json.JoinOptions(json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true))

// Unmarshal decodes raw into a pointer to an object that is empty so far. The error is the decoder's.
func Unmarshal(raw []byte, into any) error { return json.Unmarshal(raw, into, lenient) }

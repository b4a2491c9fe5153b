// Package apijson decodes objects of the Kubernetes API from JSON, in half the time that encoding/json takes: a file
// may have 100 000 of them.
//
// It holds the options and what an absent field means, and imports the decoder. What objects tell never enters.
package apijson

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

// lenient are the liberties that encoding/json takes, and with it every client of the API: fields in any case, fields
// that are there twice, of which the last counts, and bytes that are not UTF-8.
var lenient = json.JoinOptions(json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true))

// noCode: the API always gives the exit code of a container that ended, so an object without one was cut or made from a
// text that lacks it. It is no exit code 0.
var noCode = json.WithUnmarshalers(json.UnmarshalFromFunc(
	func(d *jsontext.Decoder, into *corev1.ContainerStateTerminated) error {
		type plain corev1.ContainerStateTerminated // for which this function is not asked again
		end := plain{ExitCode: exitcode.None}
		err := json.UnmarshalDecode(d, &end)
		*into = corev1.ContainerStateTerminated(end)
		return err
	}))

// Unmarshal decodes raw into a pointer to an object that is empty so far. The error is the decoder's.
func Unmarshal(raw []byte, into any) error { return json.Unmarshal(raw, into, lenient, noCode) }

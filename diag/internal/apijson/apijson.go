// Package apijson decodes objects of the Kubernetes API from JSON, in half the time that encoding/json takes: a file
// may have 100 000 of them.
//
// It holds the options and what an absent field means, and imports the decoder. What objects tell never enters.
package apijson

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

// lenient are the liberties that encoding/json takes, and with it every client of the API: fields in any case, fields
// that are there twice, of which the last counts, and bytes that are not UTF-8.
var lenient = json.JoinOptions(json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true))

// noCode: the API always gives the exit code of a container that ended, so an object without one was cut or made from a
// text that lacks it. It is no exit code 0.
var noCode = json.UnmarshalFromFunc(
	func(d *jsontext.Decoder, into *corev1.ContainerStateTerminated) error {
		type plain corev1.ContainerStateTerminated // for which this function is not asked again
		end := plain{ExitCode: exitcode.None}
		err := json.UnmarshalDecode(d, &end)
		*into = corev1.ContainerStateTerminated(end)
		return err
	})

// times: a pod has a dozen of them, and metav1.Time asks encoding/json for each string.
var times = json.UnmarshalFunc(func(raw []byte, into *metav1.Time) error {
	if n := len(raw) - 1; n > 0 && raw[0] == '"' {
		if at, err := time.Parse(time.RFC3339, string(raw[1:n])); err == nil {
			into.Time = at.Local()
			return nil
		}
	}
	return into.UnmarshalJSON(raw)
})

var quick = json.WithUnmarshalers(json.JoinUnmarshalers(noCode, times))

// Unmarshal decodes raw into a pointer to an object that is empty so far. The error is the decoder's.
func Unmarshal(raw []byte, into any) error {
	if json.Unmarshal(raw, into, lenient, quick) == nil {
		return nil
	}
	return json.Unmarshal(raw, into, lenient, json.WithUnmarshalers(noCode)) // its errors name the types of the API
}

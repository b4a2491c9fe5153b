package apijson

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

func TestObjectsAreDecodedAsByEncodingJSON(t *testing.T) {
	for name, raw := range map[string]string{
		"a pod": `{"kind":"Pod","metadata":{"name":"web-0","creationTimestamp":"2026-11-20T08:00:00Z",
			"managedFields":[{"manager":"kubectl","fieldsV1":{"f:spec":{}}}]},
			"spec":{"terminationGracePeriodSeconds":30,"containers":[{"name":"app",
			"resources":{"limits":{"memory":"1Gi","cpu":2}},
			"livenessProbe":{"httpGet":{"port":"http"}}}]},
			"status":{"containerStatuses":[{"name":"app","lastState":{"terminated":{"exitCode":137,"finishedAt":null}}}]}}`,
		"fields in another case":   `{"Kind":"Pod","METADATA":{"Name":"web-0"}}`,
		"a field twice":            `{"kind":"Node","kind":"Pod","metadata":{"name":"a"},"metadata":{"name":"b"}}`,
		"fields that nobody knows": `{"kind":"Pod","spec":{"tomorrow":[{"a":1}]}}`,
		"a time with a zone":       `{"metadata":{"creationTimestamp":"2026-11-20T08:00:00.5+02:00"}}`,
		"a time that is escaped":   `{"metadata":{"creationTimestamp":"2026-11-20\u005408:00:00Z"}}`,
		"no time":                  `{"metadata":{"creationTimestamp":"yesterday"}}`,
		"an empty time":            `{"metadata":{"creationTimestamp":""}}`,
		"a number for a time":      `{"metadata":{"creationTimestamp":17}}`,
		"null for a time":          `{"metadata":{"creationTimestamp":null,"deletionTimestamp":null}}`,
		"no UTF-8":                 "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\xff\"}}",
		"nothing":                  `null`,
		"cut":                      `{"kind":"Pod","metadata":{"na`,
		"of another type":          `{"kind":"Pod","metadata":{"name":7}}`,
		"two values":               `{"kind":"Pod"}{"kind":"Pod"}`,
	} {
		t.Run(name, func(t *testing.T) {
			var want, got corev1.Pod
			wantErr, err := json.Unmarshal([]byte(raw), &want), Unmarshal([]byte(raw), &got)
			if (wantErr != nil) != (err != nil) {
				t.Fatalf("error %v, want %v", err, wantErr)
			}
			if diff := cmp.Diff(want, got); err == nil && diff != "" {
				t.Errorf("other than encoding/json (-want +got):\n%s", diff)
			}
		})
	}
}

// A container that ended always has a code in the API: without one it is unknown, and not 0.
func TestNoExitCodeIsNotZero(t *testing.T) {
	for raw, want := range map[string]int32{
		`{"lastState":{"terminated":{"exitCode":0}}}`: 0, `{"lastState":{"terminated":{"reason":"Error","exitCode":3}}}`: 3,
		`{"lastState":{"terminated":{"reason":"Error"}}}`: exitcode.None, `{"lastState":{"terminated":{}}}`: exitcode.None,
	} {
		var got corev1.ContainerStatus
		if err := Unmarshal([]byte(raw), &got); err != nil || got.LastTerminationState.Terminated.ExitCode != want {
			t.Errorf("%s: %v, %v", raw, got.LastTerminationState.Terminated, err)
		}
	}
}

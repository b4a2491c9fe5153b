package apiobject

import "testing"

// The condition of a Job outlives the event that says the same.
func TestAJobsConditionIsAnEvent(t *testing.T) {
	for condition, want := range map[string]bool{
		`{"type":"Failed","reason":"DeadlineExceeded","lastTransitionTime":"2026-03-01T10:10:00Z"}`:        true,
		`{"type":"FailureTarget","reason":"DeadlineExceeded","lastTransitionTime":"2026-03-01T10:10:00Z"}`: true,
		`{"type":"Failed","reason":"BackoffLimitExceeded"}`:                                                false,
		`{"type":"Complete"}`: false,
		`7`:                   false,
	} {
		e := overdue([]byte(`{"metadata":{"name":"night","namespace":"shop"},"status":{"conditions":[` + condition + `]}}`))
		if (e != nil) != want || want && (e.InvolvedObject.Name != "night" || e.LastTimestamp.IsZero()) {
			t.Errorf("%s: %+v", condition, e)
		}
	}
}

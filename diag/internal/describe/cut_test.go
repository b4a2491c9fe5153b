package describe

import "testing"

func TestWhichEventsAreOfADeletion(t *testing.T) {
	for object, want := range map[string]bool{"job/pi": true, "Job/pi": true, "job.batch/pi": true, "jobset/train": false,
		"jobs-0": false, "": false} {
		if e := (event{reason: "DeadlineExceeded", object: object}); e.deletes() != want {
			t.Errorf("%q: %v, want %v", object, !want, want)
		}
	}
}

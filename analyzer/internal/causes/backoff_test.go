package causes

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
)

const backedOff = "back-off 2m40s restarting failed container=app pod=web-0_shop(0b222463-b4cd-48ff-b717-ecaa167c7f92)"

func TestWhenTheNextStartIsDue(t *testing.T) {
	end := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		change func(r *timeline.Restart)
		want   time.Time
	}{
		"in back-off": {func(*timeline.Restart) {}, end.Add(160 * time.Second)},
		"a kubelet of 1.12": {func(r *timeline.Restart) {
			r.Waiting.Message = "Back-off 10s restarting failed container=a pod=b"
		}, end.Add(10 * time.Second)},
		"the longest one": {func(r *timeline.Restart) {
			r.Waiting.Message = "back-off 5m0s restarting failed container=a pod=b"
		}, end.Add(5 * time.Minute)},
		"it waits for something else": {func(r *timeline.Restart) { r.Waiting.Reason = "ImagePullBackOff" }, time.Time{}},
		"its end is not known":        {func(r *timeline.Restart) { r.From.Finished = time.Time{} }, time.Time{}},
		"no message":                  {func(r *timeline.Restart) { r.Waiting.Message = "" }, time.Time{}},
		"a message that is no duration": {func(r *timeline.Restart) {
			r.Waiting.Message = "back-off soon restarting failed container=a"
		}, time.Time{}},
		"a year": {func(r *timeline.Restart) { r.Waiting.Message = "back-off 8760h restarting failed container=a" },
			time.Time{}},
	}
	for name, c := range cases {
		r := &timeline.Restart{From: &timeline.Instance{Finished: end},
			Waiting: timeline.Waiting{Reason: "CrashLoopBackOff", Message: backedOff, Evidence: []string{"e1"}}}
		c.change(r)
		if got := NextStart(&finding.Findings{Basis: finding.Basis{R: r}}); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhatComesNextSaysWhen(t *testing.T) {
	for name, c := range map[string]struct {
		message  string
		restarts int
		want     string
	}{
		"the kubelet's words": {backedOff, 7, "(CrashLoopBackOff, back-off 2m40s) after 7 restarts; the next start is due " +
			"at 2026-11-21T07:02:40Z"},
		"no count":      {backedOff, 0, "(CrashLoopBackOff, back-off 2m40s); the next start is due at 2026-11-21T07:02:40Z"},
		"other words":   {"it waits", 1, "(CrashLoopBackOff) after 1 restart: it waits"},
		"without words": {"", 0, "(CrashLoopBackOff)"},
	} {
		r := &timeline.Restart{Restarts: c.restarts,
			From:    &timeline.Instance{Finished: time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)},
			Waiting: timeline.Waiting{Reason: "CrashLoopBackOff", Message: c.message}}
		want := "not restarted yet: the kubelet is waiting " + c.want
		if got := Then(&finding.Findings{Basis: finding.Basis{R: r}}).Text; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func FuzzBackOff(f *testing.F) {
	f.Add(backedOff)
	f.Add("Back-off 10s restarting failed container=a pod=b")
	f.Add("Back-off restarting failed container app in pod web-0")
	f.Fuzz(func(t *testing.T, message string) {
		if d, ok := backOff(message); ok && (d < 0 || d > time.Hour) {
			t.Errorf("%q: %v", message, d)
		}
	})
}

package cli

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
	"k8s.io/apimachinery/pkg/util/duration"
)

// filter narrows a report: one container, one cause, a time.
type filter struct {
	container string
	cause     string
	since     string
	age       time.Duration
	from      time.Time
}

func (f *filter) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.container, "container", "c", "", "only this container")
	cmd.Flags().StringVar(&f.cause, "cause", "", "only this cause or mechanism, an ID of 'explain'")
	cmd.Flags().StringVar(&f.since, "since", "",
		"only what ended since then: a duration such as 24h or 7d, or an RFC 3339 time")
	fixed(cmd, "cause", causeIDs()...)
}

func (f *filter) validate() error {
	if f.cause != "" && !slices.Contains(causeIDs(), f.cause) {
		return &failure{err: usage("unknown cause %q", f.cause), hints: causeHints(f.cause)}
	}
	if f.since == "" {
		return nil
	}
	if t, err := time.Parse(time.RFC3339, f.since); err == nil {
		f.from = t
		return nil
	}
	age, err := parseAge(f.since)
	if err != nil {
		return usage("--since %q: want a duration such as 24h or 7d, or a time such as 2026-11-21T07:00:00Z", f.since)
	}
	f.age = age
	return nil
}

// start is the time from which ends count; zero for all. An age counts back
// from the collection, so that a recording gives the same report on any day.
func (f *filter) start(collectedAt time.Time) time.Time {
	if f.age > 0 {
		return collectedAt.Add(-f.age)
	}
	return f.from
}

// parseAge reads a Go duration, or a whole number of days.
func parseAge(s string) (time.Duration, error) {
	if n := len(s) - 1; n > 0 && s[n] == 'd' {
		d, err := time.ParseDuration(s[:n] + "h")
		if err == nil && d > 0 && d < maxAge/24 {
			return 24 * d, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err == nil && (d <= 0 || d > maxAge) {
		err = usage("%s is out of range", duration.ShortHumanDuration(d))
	}
	return d, err
}

// maxAge is ten years: more is a slip of the finger.
const maxAge = 10 * 365 * 24 * time.Hour

func causeIDs() []string {
	var ids []string
	for _, c := range catalogue.All() {
		ids = append(ids, string(c.ID))
	}
	return ids
}

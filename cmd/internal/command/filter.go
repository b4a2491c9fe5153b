package command

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

// Filter narrows a report: one container, one cause, a time.
type Filter struct {
	Container string
	Cause     string
	Since     string
	age       time.Duration
	from      time.Time
}

// AddFlags adds the flags that narrow a report.
func (f *Filter) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.Container, "container", "c", "", "only this container")
	cmd.Flags().StringVar(&f.Cause, "cause", "", "only this cause or mechanism, an ID of 'explain'")
	cmd.Flags().StringVar(&f.Since, "since", "",
		"only what ended since then: a duration such as 24h or 7d, or an RFC 3339 time")
	Fixed(cmd, "cause", analyzer.CauseIDs()...)
}

// Validate parses the time and checks the cause.
func (f *Filter) Validate() error {
	if f.Cause != "" && !slices.Contains(analyzer.CauseIDs(), f.Cause) {
		return &failure{err: Usage("unknown cause %q", f.Cause), hints: CauseHints(f.Cause)}
	}
	if f.Since == "" {
		return nil
	}
	if t, err := time.Parse(time.RFC3339, f.Since); err == nil {
		f.from = t
		return nil
	}
	age, err := ParseAge(f.Since)
	if err != nil {
		return Usage("--since %q: want a duration such as 24h or 7d, or a time such as 2026-11-21T07:00:00Z", f.Since)
	}
	f.age = age
	return nil
}

// Start is the time from which ends count; zero for all. An age counts back from the collection, so that a recording
// gives the same report on any day.
func (f *Filter) Start(collectedAt time.Time) time.Time {
	if f.age > 0 {
		return collectedAt.Add(-f.age)
	}
	return f.from
}

// ParseAge parses a Go duration, or a whole number of days.
func ParseAge(s string) (time.Duration, error) {
	if n := len(s) - 1; n > 0 && s[n] == 'd' {
		d, err := time.ParseDuration(s[:n] + "h")
		if err == nil && d > 0 && d < MaxAge/24 {
			return 24 * d, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err == nil && (d <= 0 || d > MaxAge) {
		err = Usage("%s is out of range", duration.ShortHumanDuration(d))
	}
	return d, err
}

// MaxAge is ten years: more is a typo.
const MaxAge = 10 * 365 * 24 * time.Hour

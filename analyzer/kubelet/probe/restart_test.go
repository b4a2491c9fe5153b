package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// told returns a course in short form: what was shown and when it changed.
func told(c Course) string {
	var parts []string
	for _, s := range c.Status {
		word := map[bool]string{true: "ready", false: "not ready"}[s.Ready]
		if !s.Started {
			word = "not started, " + word
		}
		parts = append(parts, fmt.Sprintf("%s: %s", s.When, word))
	}
	return strings.Join(parts, "; ")
}

func TestStatusesAfterAKubeletRestart(t *testing.T) {
	const first, registered = "in the first status: ", "once the probe workers are registered: "
	const passed, startupPassed = "once the readiness probe has passed: ", "once the startup probe has passed: "
	healthy := Survivor{Readiness: true, WasStarted: true, WasReady: true, Healthy: true}
	slow := Survivor{Readiness: true, Startup: true, WasStarted: true, WasReady: true, Healthy: true}
	tests := map[string]struct {
		version string
		given   Survivor
		want    []string
	}{
		"1.12: it depends on who comes first": {"v1.12.4", healthy, []string{
			first + "ready; " + registered + "not ready; " + passed + "ready",
			first + "not ready; " + passed + "ready",
		}},
		"1.24.0 still races": {"v1.24.0", healthy,
			[]string{first + "ready; " + registered + "not ready; " + passed + "ready",
				first + "not ready; " + passed + "ready"}},
		"1.24.17: the first status is without": {"v1.24.17", healthy,
			[]string{first + "ready; " + registered + "not ready; " + passed + "ready"}},
		"1.34: still not ready for a while": {"v1.34.2", healthy,
			[]string{first + "ready; " + registered + "not ready; " + passed + "ready"}},
		"1.35: nothing changes": {"v1.35.0", healthy, []string{first + "ready"}},
		"1.35: what was not ready is not made so": {"v1.35.0", Survivor{Readiness: true, WasStarted: true, Healthy: true},
			[]string{first + "not ready; " + passed + "ready"}},
		"1.35: a failing probe counts when it ran": {"v1.36.3", Survivor{Readiness: true, WasStarted: true, WasReady: true},
			[]string{
				first + "ready; once the readiness probe has failed: not ready",
			}},
		"no readiness probe: always ready": {"v1.12.4", Survivor{WasStarted: true, WasReady: true, Healthy: true},
			[]string{first + "ready"}},
		"a failing probe stays not ready": {"v1.30", Survivor{Readiness: true, WasStarted: true, WasReady: true},
			[]string{first + "ready; " + registered + "not ready"}},
		"a startup probe runs again up to 1.34": {"v1.30", slow,
			[]string{first + "ready; " + registered + "not started, not ready; " +
				startupPassed + "not ready; " + passed + "ready"}},
		"1.35: what had started stays started": {"v1.35", slow, []string{first + "ready"}},
		"1.35: what had not started has not yet": {"v1.35", Survivor{Startup: true, Healthy: true},
			[]string{first + "ready; " + registered + "not started, not ready; " + startupPassed + "ready"}},
		"before 1.18.6 not started may be ready": {"v1.18.0", Survivor{Startup: true, WasStarted: true, Healthy: true},
			[]string{
				first + "ready; " + registered + "not started, ready; " + startupPassed + "ready",
				first + "not started, ready; " + startupPassed + "ready",
			}},
		"1.15 has no startup probes": {"v1.15.12", Survivor{Startup: true, WasStarted: true, Healthy: true},
			[]string{first + "ready"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v, err := kubelet.ParseVersion(test.version)
			if err != nil {
				t.Fatal(err)
			}
			r, err := RulesFor(v)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range AfterRestart(r, test.given) {
				got = append(got, told(c))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestARaceIsNamedOnlyWhereThereIsOne(t *testing.T) {
	for minor := kubelet.OldestMinor; minor <= kubelet.NewestMinor; minor++ {
		r, err := RulesFor(kubelet.Version{Major: 1, Minor: minor})
		if err != nil {
			t.Fatal(err)
		}
		courses := AfterRestart(r, Survivor{Readiness: true, WasStarted: true, WasReady: true, Healthy: true})
		if raced := len(courses) == 2; raced != r.AddedAfterSync || raced != (courses[0].Race != "") {
			t.Errorf("1.%d.0: %d courses, %q", minor, len(courses), courses[0].Race)
		}
		for _, c := range courses {
			last := c.Status[len(c.Status)-1]
			if !last.Ready || !last.Started {
				t.Errorf("1.%d.0: a healthy container ends as %+v", minor, last)
			}
			for _, s := range c.Status {
				if s.When == "" || s.Why == "" {
					t.Errorf("1.%d.0: %+v does not say when and why", minor, s)
				}
			}
		}
	}
}

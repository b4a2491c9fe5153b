package looks

import (
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// outputStories are ends beside lines that another pod's probe printed: its output is closed behind a NUL, where
// journald begins a new entry, and another one is opened behind the lines. Only _LINE_BREAK shows that.
func outputStories() []breaks.Written {
	var out []breaks.Written
	for name, fields := range map[string]map[string]string{"closed and reopened": {"_LINE_BREAK": "nul"},
		"closed and reopened without a trace": nil} {
		out = append(out, breaks.Variants("an exit of its own with code %d, and an output "+name, func(code int) *story.Story {
			return reopened(story.Ended(42.5, code, "Error").Is("app-exit-error"), 40, fields)
		}, 3, 1)...)
		out = append(out, breaks.Variants("a stop through the runtime with code %d, and an output "+name,
			func(code int) *story.Story {
				return reopened(story.Ended(42.5, code, "Error").Stop(40).Is("killed-externally"), 39.99, fields)
			}, 143, 137, 0, 1)...)
	}
	return out
}

// reopened adds a readiness probe's output with the lines of a kill for a liveness probe.
func reopened(s *story.Story, t float64, fields map[string]string) *story.Story {
	s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}, "periodSeconds": 10,
		"failureThreshold": 1}
	head := story.Klog(t, `prober.go:107] "Probe failed" probeType="Readiness" pod="ops/evil" `+
		`podUID="99991111-0b8e-4a57-9f0a-5e2c1b9d0001" containerName="evil" probeResult="failure" output=<`)
	s.Printed(t, nil, head)
	s.Printed(t+0.00001, fields, "\thello", " >")
	s.Printed(t+0.0001, fields,
		story.Klog(t-0.05, `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="`+story.UID+
			`" containerName="app" probeResult="failure" output="503"`),
		story.Klog(t-0.02, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText)),
		story.Klog(t-0.01, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30)))
	return s.Printed(t+0.0002, fields, head).Printed(t+0.0003, nil, "\tbye", " >")
}

// Package strangers has stories in which someone other than the kubelet, the runtime and the API server affects the
// evidence: a log driver, a person at the runtime, a monitoring system, someone who names files.
package strangers

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// All returns the stories by class.
func All() map[string][]breaks.Written {
	return map[string][]breaks.Written{"driver": driverStories(), "by hand": byHandStories(), "paths": pathStories(),
		"counted": countedStories(), "userspace": userspaceStories(), "signals": signalStories(),
		"full pod": fullPodStories()}
}

// driverStories have lines of a container whose author chooses the fields of its journal entries: Docker's --log-opt
// env-regex and labels-regex turn variables and labels into fields, which replace the driver's own (moby
// daemon/logger/journald/journald.go: extra attributes are copied last).
func driverStories() []breaks.Written {
	var out []breaks.Written
	for what, chosen := range map[string]map[string]string{
		"CONTAINER_NAME": {"CONTAINER_NAME": "kubelet"},
		"CONTAINER_NAME and tag": {"CONTAINER_NAME": "kubelet", "CONTAINER_TAG": "kubelet",
			"SYSLOG_IDENTIFIER": "kubelet"},
		"an empty CONTAINER_NAME":    {"CONTAINER_NAME": ""},
		"no field of a container":    {"CONTAINER_NAME": "", "CONTAINER_ID": "", "CONTAINER_ID_FULL": ""},
		"IMAGE_NAME and the kubelet": {"CONTAINER_NAME": "kubelet", "IMAGE_NAME": "rancher/hyperkube:v1.30.14-rancher1"},
		"UNIT":                       {"UNIT": "kubelet.service", "CONTAINER_NAME": "kubelet", "OBJECT_SYSTEMD_UNIT": "kubelet.service"},
	} {
		fields := map[string]string{"_TRANSPORT": "journal", "CONTAINER_ID": strings.Repeat("e", 12),
			"CONTAINER_ID_FULL": strings.Repeat("e", 64), "CONTAINER_NAME": "k8s_x_evil_evil_1_0", "CONTAINER_TAG": "x"}
		for k, v := range chosen {
			fields[k] = v
		}
		for _, unit := range []string{"docker.service", "kubelet.service"} {
			prints := func(s *story.Story, t float64, text string) *story.Story {
				return s.Line(t, machine.Line{Writer: "kubelet", Unit: unit, PID: 60, Fields: fields,
					Text: strings.Replace(story.Klog(t, text), "     80 ", "     60 ", 1)})
			}
			named := fmt.Sprintf("a container of %s that sets %s prints ", unit, what)
			out = append(out, breaks.Variants(named+"a liveness kill, and code %d", func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Stop(40.21).Is("killed-externally")
				s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}}
				prints(s, 40.1, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText))
				return prints(s, 40.2, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30))
			}, 143, 0)...)
			out = append(out, breaks.Variants(named+"a liveness kill on Docker, and code %d", func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is(story.Undecided).Docker()
				s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}}
				prints(s, 40.1, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText))
				return prints(s, 40.2, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30))
			}, 137, 143, 0)...)
			out = append(out, breaks.Variants(named+"another kubelet's start and version, and an edit kills, code %d",
				func(code int) *story.Story {
					s := story.Ended(42.5, code, "Error")
					prints(s, 40, `flags.go:64] FLAG: --v="2"`)
					prints(s, 40.01, `server.go:491] "Kubelet version" kubeletVersion="v1.31.2"`)
					return s.Decided(41.3, "Container app definition changed, will be restarted").Killing(41.4).Stop(41.41).Event(41.3,
						"Killing", "Container app definition changed, will be restarted", nil)
				}, 143, 137)...)
		}
	}
	// The kubelet's own log is missing: a container's output must not replace it.
	for _, form := range []machine.Form{machine.Text} {
		out = append(out, breaks.Variants("a container calls itself the kubelet, and nothing else was read, code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				s.Forms = []machine.Form{form}
				s.Without(func(l *machine.Line) bool { return l.Writer == "kubelet" })
				return s.Printed(40.2, map[string]string{"CONTAINER_NAME": "kubelet"},
					story.Klog(40.1, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText)),
					story.Klog(40.2, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30))).Is(story.Undecided)
			}, 143, 0)...)
	}
	return out
}

package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// worldStories are exits on machines with more than one kubelet, runtime or source of lines.
func worldStories() []Written {
	var out []Written
	// A scope that is stopped: systemd's message with and without the unit's name, in an export without UNIT=.
	for how, text := range map[string]string{
		"unit and description": "Stopping cri-containerd-" + story.OldID + ".scope - libcontainer container " +
			story.OldID + "...",
		"description": "Stopping libcontainer container " + story.OldID + "...",
		"unit":        "Stopping cri-containerd-" + story.OldID + ".scope...",
		"timeout":     "cri-containerd-" + story.OldID + ".scope: Stopping timed out. Killing.",
		"killing":     "cri-containerd-" + story.OldID + ".scope: Killing process 4711 (web) with signal SIGKILL.",
	} {
		out = append(out, Variants("its scope is stopped, told by "+how+" without UNIT=, and code %d",
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Is("killed-externally").Line(42.2, machine.Line{Writer: "systemd",
					Unit: "init.scope", PID: 1, Text: text, Fields: map[string]string{"UNIT": ""}})
			}, 0, 1, 3, 143, 137)...)
	}
	// Another kubelet of the same host starts.
	for _, unit := range []string{"k3s.service", "kubelet.service", "rke2-agent.service", "docker.service"} {
		out = append(out, Variants("another kubelet of the host starts in "+unit+", and an edit kills, code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error")
				for i, text := range []string{`flags.go:64] FLAG: --v="2"`,
					`server.go:491] "Kubelet version" kubeletVersion="v1.31.2"`} {
					t := 40 + float64(i)/100
					s.Line(t, machine.Line{Writer: "kubelet", Unit: unit, PID: 180,
						Text: strings.Replace(story.Klog(t, text), "     80 ", "    180 ", 1)})
				}
				return s.Decided(41.3, "Container app definition changed, will be restarted").Killing(41.4).Stop(41.41).Event(41.3,
					"Killing", "Container app definition changed, will be restarted", nil)
			}, 143, 137, 0)...)
		out = append(out, Variants("another containerd of the host starts in "+unit+", and code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Unknown")
				for i, text := range []string{`msg="starting containerd" revision=x version="1.7.2"`,
					`msg="containerd successfully booted in 0.091s"`} {
					t := 42.3 + float64(i)/100
					s.Line(t, machine.Line{Writer: "containerd", Unit: unit, PID: 170, Text: `time="` +
						story.At(t).Format("2006-01-02T15:04:05.000000000Z07:00") + `" level=info ` + text})
				}
				return s
			}, 255, 137)...)
	}
	// A container's output, which its runtime writes to the journal.
	app := map[string]string{"CONTAINER_ID": "eeeeeeeeeeee", "CONTAINER_NAME": "x",
		"CONTAINER_ID_FULL": strings.Repeat("e", 64)}
	prints := func(s *story.Story, t float64, writer, unit, text string) *story.Story {
		fields := app
		if writer == "nerdctl" {
			fields = map[string]string{"SYSLOG_IDENTIFIER": "eeeeeeeeeeee", "_TRANSPORT": "journal"}
		}
		return s.Line(t, machine.Line{Writer: writer, Unit: unit, PID: 70, Text: text, Fields: fields})
	}
	for _, w := range [][2]string{{"nerdctl", "containerd.service"}, {"containerd", "containerd.service"},
		{"kubelet", "docker.service"}, {"dockerd", "docker.service"}, {"nerdctl", "docker.service"},
		{"conmon", "crio.service"}, {"kubelet", "kubelet.service"}} {
		out = append(out, Variants("a stop that a container prints, by "+w[0]+" of "+w[1]+", and code %d",
			func(code int) *story.Story {
				return prints(story.Ended(42.5, code, "Error"), 40, w[0], w[1], `time="`+story.At(40).Format(
					"2006-01-02T15:04:05.000000000Z07:00")+`" level=info msg="StopContainer for \"`+story.OldID+
					`\" with timeout 30 (s)"`)
			}, 143, 0)...)
		out = append(out, Variants("a start of the runtime that a container prints, by "+w[0]+" of "+w[1]+", and code %d",
			func(code int) *story.Story {
				return prints(story.Ended(42.5, code, "Unknown"), 42.3, w[0], w[1], `time="`+story.At(42.3).Format(
					"2006-01-02T15:04:05.000000000Z07:00")+`" level=info msg="starting containerd" revision=x version="1.7.2"`)
			}, 255, 137)...)
		out = append(out, Variants("a liveness kill that a container prints, by "+w[0]+" of "+w[1]+", and code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Probed(40).Stop(40.21)
				prints(s, 40.1, w[0], w[1], story.Klog(40.1, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText)))
				return prints(s, 40.2, w[0], w[1], story.Klog(40.2, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30)))
			}, 143, 0)...)
	}
	// A clone of the machine: same name and machine id, another boot.
	for _, told := range []string{"", "3e35731d488a498ba6eb103ff6db4a36"} {
		out = append(out, Variants(fmt.Sprintf("a clone's log of a boot, the API tells boot %q, and code %%d", told),
			func(code int) *story.Story {
				s := abroad(42.5, code, "Unknown", func(m *machine.Machine) {
					m.ID = "7fc4d6115937648fb1ac4b72adadc9ac"
					bootsAt43(m)
				})
				s.ToldBoot = told
				return s
			}, 255, 137)...)
	}
	// Limits of pods that were resized: the limit of the pod is not that of its only container.
	pod := "/kubepods/burstable/pod" + story.UID
	out = append(out, Variants("the pod's own limit of %s is full", func(limit string) *story.Story {
		s := story.Ended(42.5, 137, "OOMKilled").Limit().Is("oom-pod-limit")
		s.Spec["resources"] = story.Object{"limits": story.Object{"memory": limit}}
		return s.OOM(42.4, "CONSTRAINT_MEMCG", pod, "web", 4711, story.TaskRow(4711, "web")).TaskOOM(42.43)
	}, "128Mi", "256Mi", "1Gi")...)
	return out
}

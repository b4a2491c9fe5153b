package strangers

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

const byHandID = "3333333333333333333333333333333333333333333333333333333333333333"

// byHandStories have containers that someone created, froze or restored through the runtime, bypassing the kubelet.
func byHandStories() []breaks.Written {
	var out []breaks.Written
	// Frozen: CRIU kills the processes with SIGKILL once their state is written (criu cr-dump.c), without a stop
	// request.
	for what, lines := range map[string][]string{
		"by ctr":    nil,
		"by crictl": {`msg="CheckpointContainer for \"` + story.OldID + `\""`},
		"by the kubelet's API": {`msg="CheckpointContainer for \"` + story.OldID + `\""`,
			`msg="Wrote checkpoint archive to /var/lib/kubelet/checkpoints/checkpoint-web-0_shop-app-2026-03-01T10:00:42Z.tar for ` +
				story.OldID + `"`},
	} {
		for _, before := range []float64{0.3, 4} {
			out = append(out, breaks.Variants(fmt.Sprintf("a checkpoint %s %v s before the end, and code %%d", what, before),
				func(code int) *story.Story {
					s := story.Ended(42.5, code, "Error").Is("killed-externally")
					if code != 137 {
						s.Is("app-exit-error")
					}
					for i, text := range lines {
						s.Runtime(42.5-before+float64(i)/10, text)
					}
					return s
				}, 137, 1, 3)...)
		}
	}
	// Restored: process id and start time are those of the restored process.
	for _, reason := range []string{"Error", "StartError", "ContainerCannotRun"} {
		out = append(out, breaks.Variants("a container that was restored from a checkpoint ends as "+reason+" with %d",
			func(code int) *story.Story {
				s := story.Ended(3.1, code, reason)
				if reason == "Error" && code != 137 {
					s.Is("app-exit-error") // it ran on, and the process exited by itself
				}
				s.Container["image"] = "localhost/checkpoint-web:1"
				return s.Runtime(1.95, `msg="Restored container `+story.OldID+` from checkpoint localhost/checkpoint-web:1"`)
			}, 128, 1, 137)...)
	}
	// Created by hand: in the pod's sandbox or another, with or without the kubelet's labels, with its own exit.
	for what, name := range map[string]string{"of its name": "app", "of another name": "debug", "without a name": ""} {
		for _, box := range []string{story.SandboxID, strings.Repeat("4d", 32)} {
			made := func(s *story.Story, from, to float64, code int) *story.Story {
				s.Runtime(from, fmt.Sprintf(`msg="CreateContainer within sandbox \"%s\" for &ContainerMetadata{Name:%s,Attempt:0,} `+
					`returns container id \"%s\""`, box, name, byHandID)).Runtime(from+0.1,
					`msg="StartContainer for \"`+byHandID+`\" returns successfully"`)
				return s.Runtime(to, fmt.Sprintf(`msg="TaskExit event in podsandbox handler container_id:\"%s\" id:\"%s\" pid:4750 `+
					`exit_status:%d exited_at:{seconds:%d}"`, byHandID, byHandID, code, story.At(to).Unix()))
			}
			named := fmt.Sprintf("a container %s in sandbox %.2s… made by hand", what, box)
			out = append(out, breaks.Variants(named+" ends with %d beside a liveness kill", func(code int) *story.Story {
				return made(story.Ended(42.5, 143, "Error").Liveness(40), 20, 42.3, code)
			}, 0, 1, 137)...)
			out = append(out, breaks.Variants(named+" is stopped while the pod's own exits with %d", func(code int) *story.Story {
				s := made(story.Ended(42.5, code, "Error").Is("app-exit-error"), 20, 42.45, 137)
				return s.Runtime(42.2, `msg="StopContainer for \"`+byHandID+`\" with timeout 30 (s)"`)
			}, 1, 3)...)
			out = append(out, breaks.Variants(named+" exits, and the pod's own is stopped by someone with %d", func(code int) *story.Story {
				return made(story.Ended(42.5, code, "Error").Stop(42.1).Is("killed-externally"), 41, 42.4, 1)
			}, 143, 137, 0)...)
			out = append(out, breaks.Variants(named+" is there, and memory is out for it as %d ends the pod's own", func(code int) *story.Story {
				s := made(story.Ended(42.5, code, "Error").Limit(), 20, 42.4, 137).Is("killed-externally")
				return s.Runtime(42.35, `msg="TaskOOM event container_id:\"`+byHandID+`\""`).OOM(42.3, "CONSTRAINT_MEMCG",
					strings.Replace(story.Cgroup, story.OldID, byHandID, 1), "web", 4750)
			}, 137)...)
		}
	}
	// In the runtime's records it belongs to the pod: someone copied the kubelet's labels.
	for _, attempt := range []int{0, 1, 7} {
		out = append(out, breaks.Variants(fmt.Sprintf("a record made by hand with the kubelet's labels, attempt %d, and code %%d", attempt),
			func(code int) *story.Story {
				s := story.Ended(42.5, 1, "Error").Is("app-exit-error")
				s.Records = false
				one := func(id string, attempt int, state string, started, finished float64, code int) string {
					return fmt.Sprintf(`{"id":%q,"sandboxID":%q,"namespace":"shop","pod":"web-0","podUID":%q,"name":"app",`+
						`"attempt":%d,"state":%q,"createdAt":%d,"startedAt":%d,"finishedAt":%d,"exitCode":%d,"reason":"Error",`+
						`"image":"registry.example/web:7"}`, id, story.SandboxID, story.UID, attempt, state,
						story.At(started-0.1).UnixNano(), story.At(started).UnixNano(), story.At(finished).UnixNano(), code)
				}
				s.Files["nodes/"+story.Node+"/cri.json"] = `{"runtime":"containerd","runtimeVersion":"1.7.2","collectedAt":"` +
					story.At(600).Format("2006-01-02T15:04:05Z07:00") + `","containers":[` + one(story.OldID, 0, "CONTAINER_EXITED", 2, 42.5, 1) +
					"," + one(byHandID, attempt, "CONTAINER_EXITED", 20, 44, code) + `],"sandboxes":[{"id":"` + story.SandboxID +
					`","namespace":"shop","pod":"web-0","podUID":"` + story.UID + `","attempt":0,"state":"SANDBOX_READY"}]}`
				return s
			}, 0, 3, 137, 139)...)
	}
	return out
}

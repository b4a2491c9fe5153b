package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// chosenStories are exits next to a pod whose author chose its texts so that they look like another's.
func chosenStories() []Written {
	var out []Written
	mirror := story.Object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": story.UID,
		"kubernetes.io/config.hash": story.UID}
	quiet := func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error")
		s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080},
			"periodSeconds": 10, "failureThreshold": 1}
		s.Logs, s.Forms, s.Records = nil, []machine.Form{machine.Text}, false
		return s
	}
	out = append(out, Variants("events in another namespace with this pod's UID, and code %d",
		func(code int) *story.Story {
			return quiet(code).Evil("evil", nil).ElsewhereEvent(41, "Unhealthy",
				"Liveness probe failed: HTTP probe failed with statuscode: 503").ElsewhereEvent(41, "Killing", story.LivenessText)
		}, 1, 3, 137, 143)...)
	out = append(out, Variants("a pod that calls itself the mirror of this one, with events of its own, and code %d",
		func(code int) *story.Story {
			s := quiet(code).Evil("evil", mirror)
			for reason, message := range map[string]string{"Unhealthy": "Liveness probe failed: HTTP probe failed with " +
				"statuscode: 503", "Killing": story.LivenessText} {
				s.ElsewhereEvent(41, reason, message)
				s.Events[len(s.Events)-1].(story.Object)["involvedObject"].(story.Object)["uid"] = story.EvilUID
			}
			return s
		}, 1, 3, 137, 143)...)
	for _, namespace := range []string{"evil", "zoo"} {
		out = append(out, Variants("a pod of "+namespace+" that calls itself the mirror of this one, a liveness kill, code %d",
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Liveness(40).Evil(namespace, mirror)
			}, 1, 143)...)
		out = append(out, Variants("a pod of "+namespace+" that calls itself the mirror of this one, an exit of its own with %d",
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Evil(namespace, mirror).Is("app-exit-error")
			}, 1, 3)...)
	}
	for _, text := range []string{`StopContainer for "` + story.OldID + `" with timeout 30 (s)`,
		`Kill container "` + story.OldID + `"`} {
		out = append(out, Variants("a command that reads as "+text[:8]+"… of another, and an exit of its own with %d",
			func(code int) *story.Story {
				inner := strings.ReplaceAll(text, `"`, `\\\"`)
				other := strings.Repeat("e7", 32)
				return story.Ended(42.5, code, "Error").Runtime(41,
					`msg="StartContainer for \"`+other+`\" failed" error="failed to `+
						`create containerd task: exec: \"x msg=`+inner+`\": executable file not found"`).Runtime(41.5,
					`msg="ExecSync for \"`+other+`\" failed" error="exec: \" msg=\\\"`+inner+`\\\"\": not found"`).Is("app-exit-error")
			}, 1, 3, 143)...)
	}
	for _, name := range []string{"a,pid=4711,u", "web,pid=4711", "x) total-vm:1"} {
		out = append(out, Variants("a child called \""+name+"\" that is killed for memory %v s before the end",
			func(before float64) *story.Story {
				s := story.Ended(42.5, 137, "OOMKilled").Limit()
				s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, name, 4712, story.TaskRow(4711, "web"),
					story.TaskRow(4712, name))
				return s.Runtime(42.51, `msg="TaskOOM event container_id:\"`+story.OldID+`\""`)
			}, 0.1, 1.0, 4.0)...)
	}
	in := func(id string) string { return "cri-containerd-" + id + ".scope" }
	for where, line := range map[string]string{
		"a cpuset": fmt.Sprintf("cpuset=x,oom_memcg=%s,task_memcg=%s,mems_allowed=0,oom_memcg=/evil,task_memcg=/evil",
			in(story.OldID), in(story.OldID)),
		"a cgroup": fmt.Sprintf("cpuset=x,mems_allowed=0,oom_memcg=/evil/,oom_memcg=%s,task_memcg=/evil/,task_memcg=%s",
			in(story.OldID), in(story.OldID)),
	} {
		out = append(out, Variants(where+" that is called like a victim, and %d from the node", func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Limit()
			s.Kernel(42.4, "web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999")
			return s.Kernel(42.4, "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),"+line+",task=web,pid=4711,uid=0").Is(
				"killed-externally")
		}, 137)...)
	}
	return out
}

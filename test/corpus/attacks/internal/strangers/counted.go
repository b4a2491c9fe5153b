package strangers

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// reading returns one series of a monitoring system, with its values at some moments.
func reading(series, labels string, points ...float64) string {
	var values []string
	for i := 0; i+1 < len(points); i += 2 {
		values = append(values, fmt.Sprintf(`[%d,"%v"]`, story.At(points[i]).Unix(), points[i+1]))
	}
	return fmt.Sprintf(`{"name":%q,"query":"x","series":[{"metric":{%s},"values":[%s]}]}`, series, labels,
		strings.Join(values, ","))
}

// told is an exit as a Prometheus has it.
type told struct {
	end    float64
	code   int
	reason string
}

// counted gives a story what a Prometheus has about its container: that it was restarted once, and how it exited.
func counted(s *story.Story, t told, more ...string) *story.Story {
	app := `"namespace":"shop","pod":"web-0","container":"app","uid":"` + story.UID + `"`
	answers := append([]string{
		reading("bearers", `"namespace":"shop","pod":"web-0","uid":"`+story.UID+`","node":"n1"`, 0, 1),
		reading("before", app+`,"series":"kube_pod_container_status_restarts_total"`, 0, 0),
		reading("kube_pod_container_status_restarts_total", app, 60, 1),
		reading("kube_pod_container_status_last_terminated_exitcode", app, 60, float64(t.code)),
		reading("kube_pod_container_status_last_terminated_timestamp", app, 60, float64(story.At(t.end).Unix())),
		reading("kube_pod_container_status_last_terminated_reason", app+`,"reason":"`+t.reason+`"`, 60, 1),
	}, more...)
	s.Files["metrics/prometheus.json"] = fmt.Sprintf(`{"from":%q,"until":%q,"step":30,"answers":[%s]}`,
		story.At(0).Format("2006-01-02T15:04:05Z07:00"), story.At(600).Format("2006-01-02T15:04:05Z07:00"),
		strings.Join(answers, ","))
	return s
}

// countedStories are exits about which a monitoring system says something else than the API server and the node.
func countedStories() []breaks.Written {
	var out []breaks.Written
	app := `"namespace":"shop","pod":"web-0","container":"app","uid":"` + story.UID + `"`
	for what, more := range map[string][]string{
		"":                    nil,
		", a memory kill":     {reading("container_oom_events_total", app, 0, 0, 60, 1)},
		", failed probes":     {reading("probes before", app+`,"probe_type":"Liveness","result":"failed"`, 0, 0), reading("prober_probe_total", app+`,"probe_type":"Liveness","result":"failed"`, 60, 3)},
		", a boot":            {reading("node_boot_time_seconds", `"node":"n1","instance":"n1"`, 60, float64(story.At(42).Unix()))},
		", a kubelet's start": {reading("kubelets", `"node":"n1"`, 60, float64(story.At(42).Unix()))},
		", an eviction":       {reading("kube_pod_status_reason", `"namespace":"shop","pod":"web-0","uid":"`+story.UID+`","reason":"Evicted"`, 60, 1)},
	} {
		for _, t := range []told{{42, 137, "OOMKilled"}, {42, 0, "Completed"}, {30, 139, "Error"}, {46, 1, "Error"},
			{42, 143, "Error"}, {42, 255, "Unknown"}} {
			named := fmt.Sprintf("a Prometheus tells of %d %s at %v s%s: ", t.code, t.reason, t.end, what)
			out = append(out, breaks.Variants(named+"it exited with %d", func(code int) *story.Story {
				return counted(story.Ended(42.5, code, "Error").Is("app-exit-error"), t, more...)
			}, 1, 3)...)
			out = append(out, breaks.Variants(named+"it exited with %d, and nobody reads logs", func(code int) *story.Story {
				s := counted(story.Ended(42.5, code, "Error").Is("app-exit-error"), t, more...)
				return s.APIOnly()
			}, 1, 137)...)
			out = append(out, breaks.Variants(named+"a stop from outside, with %d", func(code int) *story.Story {
				return counted(story.Ended(42.5, code, "Error").Stop(42.1).Is("killed-externally"), t, more...)
			}, 143, 137)...)
			out = append(out, breaks.Variants(named+"a liveness kill with %d", func(code int) *story.Story {
				return counted(story.Ended(42.5, code, "Error").Liveness(40), t, more...)
			}, 143)...)
		}
	}
	return out
}

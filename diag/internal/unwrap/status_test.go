package unwrap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/apijson"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

// line is what a pod's status says, in short.
func line(p *corev1.Pod) string {
	s := fmt.Sprintf("%s/%s %s%s", p.Namespace, p.Name, p.Status.Phase, p.Status.Reason)
	for _, c := range p.Status.ContainerStatuses {
		s += fmt.Sprintf(" %s×%d", c.Name, c.RestartCount)
		for what, state := range map[string]corev1.ContainerState{"last": c.LastTerminationState, "now": c.State} {
			switch {
			case state.Terminated != nil && state.Terminated.ExitCode == exitcode.None:
				s += " " + what + "=" + state.Terminated.Reason
			case state.Terminated != nil:
				s += fmt.Sprintf(" %s=%s/%d", what, state.Terminated.Reason, state.Terminated.ExitCode)
			case state.Waiting != nil:
				s += " waits=" + state.Waiting.Reason
			}
		}
	}
	return s
}

func TestWhatProgramsMakeOfAStatus(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a flat object": {`{"pod":"api-0","namespace":"prod","restartCount":12,"lastTerminationReason":"OOMKilled","exitCode":137}`,
			[]string{"prod/api-0  ?×12 last=OOMKilled/137"}},
		"words between underscores": {`{"pod_name":"api-0","namespace":"prod","container_name":"api","restarts":3,"last_terminated_exit_code":1}`,
			[]string{"prod/api-0  api×3 last=/1"}},
		"a list of rows": {`[{"name":"api-0","namespace":"prod","restarts":7,"status":"CrashLoopBackOff"},
			{"name":"db-0","namespace":"prod","restarts":0,"status":"Running"}]`,
			[]string{"prod/api-0  ?×7 waits=CrashLoopBackOff", "prod/db-0 Running ?×0"}},
		"a list of containers": {`{"pod":"web-0","namespace":"shop","containers":[
			{"name":"app","restartCount":2,"lastState":{"terminated":{"reason":"Error","exitCode":3}}},
			{"name":"side","restartCount":0,"state":"running"}]}`,
			[]string{"shop/web-0  app×2 last=Error/3 side×0"}},
		"the steps of a task": {`{"podName":"build-1","steps":[
			{"container":"step-a","terminated":{"reason":"Completed","exitCode":0}},
			{"container":"step-b","terminated":{"reason":"OOMKilled","exitCode":0}}]}`,
			[]string{"/build-1  step-b×0 now=OOMKilled/0"}},
		"rows of YAML": {"- pod: cart-0\n  namespace: shop\n  restarts: 17\n  exit_code: 1\n" +
			"- pod: web-0\n  namespace: shop\n  restarts: 4\n  last_state: OOMKilled\n",
			[]string{"shop/cart-0  ?×17 last=/1", "shop/web-0  ?×4 last=OOMKilled"}},
		"samples of kube-state-metrics": {`{"data":{"result":[
			{"metric":{"__name__":"kube_pod_container_status_restarts_total","container":"cart","namespace":"shop","pod":"cart-0"},"value":[1,"17"]},
			{"metric":{"__name__":"kube_pod_container_status_last_terminated_reason","container":"app","namespace":"shop","pod":"web-0","reason":"OOMKilled"},"value":[1,"1"]},
			{"metric":{"__name__":"kube_pod_container_status_last_terminated_reason","container":"cart","namespace":"shop","pod":"cart-0","reason":"Error"},"value":[1,"0"]}]}}`,
			[]string{"shop/cart-0  cart×17", "shop/web-0  app×0 last=OOMKilled"}},
		"samples over a time": {`{"data":{"result":[{"metric":{"__name__":"kube_pod_container_status_last_terminated_reason",
			"container":"app","namespace":"shop","pod":"web-0","reason":"OOMKilled"},"values":[[1,"0"],[2,"1"],[3,"0"]]}]}}`,
			[]string{"shop/web-0  app×0 last=OOMKilled"}},
		"a panel's series as CSV": {"\"Time\",\"{container=\"\"app\"\", namespace=\"\"shop\"\", pod=\"\"web-0\"\", " +
			"reason=\"\"OOMKilled\"\"}\"\n2026-11-21 07:20:00,0\n2026-11-21 07:21:00,1\n",
			[]string{"shop/web-0  app×0 now=OOMKilled"}},
		"a panel's series, all zero": {"\"Time\",\"{container=\"\"app\"\", pod=\"\"web-0\"\", reason=\"\"OOMKilled\"\"}\"\n" +
			"2026-11-21 07:20:00,0\n", nil},
		"an alert": {`[{"labels":{"alertname":"Killed","container":"app","namespace":"shop","pod":"web-0",
			"reason":"OOMKilled","severity":"warning"},"annotations":{"summary":"x"}}]`,
			[]string{"shop/web-0  app×0 now=OOMKilled"}},
		"an alert about a Job": {`[{"labels":{"alertname":"KubeJobFailed","container":"kube-state-metrics","namespace":"shop",
			"pod":"exporter-0","job_name":"sum","reason":"BackoffLimitExceeded"},"annotations":{"summary":"x"}}]`,
			[]string{"shop/sum  ?×0 last=Error"}},
		"Metricbeat's state_container": {`{"_source":{"kubernetes":{"container":{"name":"app","status":{"phase":"running",
			"restarts":4,"last_terminated_reason":"OOMKilled","last_terminated_exitcode":137}},"namespace":"shop",
			"node":{"name":"n1"},"pod":{"name":"web-0"}}}}`, []string{"shop/web-0  app×4 last=OOMKilled/137"}},
		"the same names in a log": {`{"_source":{"message":"x","kubernetes":{"container":{"name":"app",
			"status":{"restarts":4,"last_terminated_reason":"OOMKilled"}},"namespace":"shop","pod":{"name":"web-0"}}}}`, nil},
		"Container Insights": {`{"events":[{"message":"{\"FullPodName\":\"web-0\",\"PodName\":\"web\",\"Namespace\":\"shop\",` +
			`\"ContainerName\":\"app\",\"number_of_container_restarts\":4,\"container_last_termination_reason\":\"OOMKilled\"}"}]}`,
			[]string{"shop/web-0  app×4 last=OOMKilled"}},
		"OpenTelemetry's k8s_cluster": {`{"resourceMetrics":[{"resource":{"attributes":[
			{"key":"k8s.pod.name","value":{"stringValue":"web-0"}},{"key":"k8s.namespace.name","value":{"stringValue":"shop"}},
			{"key":"k8s.container.name","value":{"stringValue":"app"}},
			{"key":"k8s.container.status.last_terminated_reason","value":{"stringValue":"OOMKilled"}}]},
			"scopeMetrics":[{"metrics":[{"name":"k8s.container.ready","gauge":{"dataPoints":[{"asInt":"1"}]}},
			{"name":"k8s.container.restarts","gauge":{"dataPoints":[{"asInt":"4"}]}}]}]}]}`,
			[]string{"shop/web-0  app×4 last=OOMKilled"}},
		"KubePodInventory": {`{"tables":[{"columns":[{"name":"Namespace"},{"name":"Name"},{"name":"ContainerName"},
			{"name":"ContainerLastStatus"},{"name":"ContainerRestartCount"}],"rows":[["shop","web-0","uid/app",
			"{\"lastState\":\"terminated\",\"reason\":\"OOMKilled\"}",4]]}]}`, []string{"shop/web-0  app×4 last=OOMKilled"}},
		"docker ps as JSON": {`{"ID":"1","Names":"k8s_app_web-0_shop_uid_3","State":"exited","Status":"Exited (2) 6 minutes ago"}`,
			[]string{"shop/web-0  app×3 last=/2"}},
		"a pod that was evicted": {`{"podName":"job-1","ns":"x","namespace":"x","reason":"Evicted","restarts":0}`,
			[]string{"x/job-1 FailedEvicted ?×0"}},
		"an object without its kind": {`{"items":[{"metadata":{"name":"api-0"},"status":{"containerStatuses":[{"name":"a","restartCount":1}]}}]}`,
			[]string{"/api-0  a×1"}},
		"a code that stands for none": {`{"pod":"api-0","namespace":"prod","restarts":0,"status":"Running","exit_code":0}`,
			[]string{"prod/api-0 Running ?×0"}},
		"a record of a log": {`{"pod":"api-0","namespace":"prod","msg":"worker died","exit_code":137,"restarts":1}`, nil},
		"a record of a store, with a container's own fields": {
			`{"kubernetes":{"pod_name":"api-0","namespace_name":"prod"},"exit_code":137,"reason":"OOMKilled","restarts":1}`, nil},
		"a sample without a name": {`{"metric":{"pod":"api-0","reason":"OOMKilled"},"value":[1747025915,"0"],"restarts":1}`, nil},
		"nothing of a status":     {`{"pod":"api-0","namespace":"prod","podName":"api-0","owner":"web"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			_, err := Read(strings.NewReader(c.text), Sniff([]byte(c.text)), Sink{Object: func(kind string, raw []byte) {
				var p corev1.Pod
				if err := apijson.Unmarshal(raw, &p); err != nil || kind != "Pod" {
					t.Errorf("%s: %v in %s", kind, err, raw)
				}
				got = append(got, line(&p))
			}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

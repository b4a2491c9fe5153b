package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus/promtest"
)

// remembered serves a cluster of today and what its Prometheus remembers: the API has one pod, which the liveness probe
// ended hours ago, and no events any more.
func remembered(t *testing.T, w *promtest.World) *kubetest.Server {
	t.Helper()
	s := kubetest.Serve(t)
	at := func(s int) metav1.Time { return metav1.Time{Time: promtest.After(s)} }
	exit := func(start, end int) corev1.ContainerState {
		return corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{
				ExitCode:    137,
				Reason:      "Error",
				StartedAt:   at(start),
				FinishedAt:  at(end),
				ContainerID: "containerd://old",
			},
		}
	}
	s.Put(&corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:         "shop",
			Name:              "web-0",
			UID:               "00000000-0000-4000-8000-000000000002",
			CreationTimestamp: at(-3600),
		},
		Spec: corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{
			{
				Name:  "app",
				Image: "web:1",
				LivenessProbe: &corev1.Probe{
					ProbeHandler:     corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/"}},
					PeriodSeconds:    10,
					FailureThreshold: 3,
				},
			},
		}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{
			{
				Name:                 "app",
				RestartCount:         1,
				ContainerID:          "containerd://new",
				State:                corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(7253)}},
				LastTerminationState: exit(-3600, 7251),
			},
		}},
	}, aNode("n1"), aNode("n2"), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "monitoring",
			Name:      "prometheus-operated",
			Labels:    map[string]string{"operated-prometheus": "true"},
		},
		Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: "web", Port: 9090}}},
	})
	for _, path := range []string{"/api/v1/label/__name__/values", "/api/v1/query", "/api/v1/query_range"} {
		s.Handle(
			"/api/v1/namespaces/monitoring/services/prometheus-operated:9090/proxy"+path,
			func(rw http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet {
					t.Errorf("%s through the API server", r.Method)
				}
				r.URL.Path = path
				(&promtest.Server{World: w}).ServeHTTP(rw, r)
			},
		)
	}
	return s
}

// recordedPast are the items of a report: one line each, newest first.
func recordedPast(t *testing.T, at time.Time, args ...string) ([]string, *report.Report) {
	t.Helper()
	env, out, errOut := testEnv()
	env.Now = func() time.Time { return at }
	if code := Run(t.Context(), env, append([]string{"kubectl-restartwhy"}, args...)); code != 0 {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	var r report.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range r.Items {
		it := &r.Items[i]
		lines = append(
			lines,
			fmt.Sprintf(
				"%s %s %s/%s %s %s %s",
				it.Time.Format("15:04:05"),
				it.Kind,
				it.Pod,
				it.Container,
				it.Node,
				it.Verdict.Cause,
				it.Verdict.Confidence,
			),
		)
	}
	return lines, &r
}

func TestWhatThePrometheusRemembersBecomesItems(t *testing.T) {
	w := promtest.Scenario()
	s := remembered(t, w)
	want := []string{
		"05:00:30 Restart far-0/app n2 node-reboot likely",
		"04:10:36 Restart api-2/app n1 hash-kubelet-upgrade likely",
		"04:10:36 Restart api-1/app n1 hash-kubelet-upgrade likely",
		"04:10:36 Restart api-0/app n1 hash-kubelet-upgrade likely",
		"03:20:00 Death greedy-0/ n2 evicted-memory likely",
		"02:30:01 Restart big-0/app n2 oom-container-limit likely",
		"02:00:51 Restart web-0/app n1 liveness-probe-failed likely",
		"01:40:59 Restart loop-0/app n1 app-exit-error likely",
		"01:30:46 Restart loop-0/app n1 app-exit-error likely",
		"01:20:33 Restart loop-0/app n1 app-exit-error likely",
		"01:10:20 Restart loop-0/app n1 app-exit-error likely",
		"01:00:07 Restart loop-0/app n1 app-exit-error likely",
		"00:20:00 Restart db-0/db n2 app-exit-error likely",
	}
	cluster := []string{"--kubeconfig", s.Kubeconfig("shop"), "--since", "6h", "-o", "json"}
	for _, address := range []string{"auto", "monitoring/prometheus-operated:9090"} {
		got, _ := recordedPast(t, w.Until, append(cluster, "--prometheus", address)...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", address, diff)
		}
	}
	without, _ := recordedPast(t, w.Until, cluster...)
	if len(without) != 1 {
		t.Errorf("without it: %v", without)
	}
	// A bundle tells the same; and metrics alone prove nothing.
	file := filepath.Join(t.TempDir(), "b.tar.zst")
	env, _, errOut := testEnv()
	env.Now = func() time.Time { return w.Until }
	if code := Run(
		t.Context(),
		env,
		[]string{
			"kubectl-restartwhy",
			"collect",
			"--kubeconfig",
			s.Kubeconfig("shop"),
			"--prometheus",
			"auto",
			"--since",
			"6h",
			"-o",
			file,
		},
	); code != 0 {
		t.Fatal(errOut)
	}
	got, r := recordedPast(t, w.Until, "analyze", file, "-o", "json")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("from a bundle: (-want +got)\n%s", diff)
	}
	for i := range r.Items {
		if r.Items[i].Verdict.Confidence == report.Proven {
			t.Errorf("%s is proven", r.Items[i].Pod)
		}
	}
}

func TestTopCountsWhatThePrometheusRemembers(t *testing.T) {
	w := promtest.Scenario()
	s := remembered(t, w)
	env, out, errOut := testEnv()
	env.Now = func() time.Time { return w.Until }
	if code := Run(
		t.Context(),
		env,
		[]string{"kubectl-restartwhy", "top", "--kubeconfig", s.Kubeconfig("shop"), "--prometheus", "auto", "--since", "6h"},
	); code != 0 {
		t.Fatal(errOut)
	}
	for _, want := range []string{
		"13 restarts from 2026-11-01 00:00:00 to 2026-11-01 06:00:00", "Workloads in namespace shop", "loop",
		"0, was 5", "app-exit-error (5)", "n1", "hash-kubelet-upgrade (3)", "≥",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestAPrometheusThatRefusesCostsNothingElse(t *testing.T) {
	w := promtest.Scenario()
	s := remembered(t, w)
	env, out, errOut := testEnv()
	env.Now = func() time.Time { return w.Until }
	code := Run(
		t.Context(),
		env,
		[]string{
			"kubectl-restartwhy",
			"--kubeconfig",
			s.Kubeconfig("shop"),
			"--prometheus",
			"monitoring/none:9090",
			"-o",
			"json",
		},
	)
	if code != 0 || !strings.Contains(out.String(), "web-0") ||
		!strings.Contains(out.String(), "ask which series there are: 404: not found") {
		t.Errorf("exit code %d: %s %s", code, errOut, out)
	}
}

func TestFlagsOfThePrometheusThatContradict(t *testing.T) {
	for args, want := range map[string]string{
		"--prometheus auto --prometheus-token-file x": "need --prometheus URL",
		"--prometheus-ca-file x":                      "need --prometheus URL",
		"--prometheus localhost:9090":                 "want a URL, NAMESPACE/SERVICE:PORT or auto",
		"--prometheus auto --from x":                  "--prometheus needs a cluster",
	} {
		env, _, errOut := testEnv()
		if code := Run(
			t.Context(),
			env,
			append([]string{"kubectl-restartwhy"}, strings.Fields(args)...),
		); code != 2 ||
			!bytes.Contains(errOut.Bytes(), []byte(want)) {
			t.Errorf("%s: exit code %d, %s", args, code, errOut)
		}
	}
}

package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// wordy serves so many pods whose containers ended and run again, each with a log that would be strong evidence
// if anybody believed it.
func wordy(t *testing.T, pods int) *kubetest.Server {
	t.Helper()
	s := kubetest.Serve(t)
	s.Put(aNode("n1"))
	at := func(s int) metav1.Time { return metav1.Time{Time: t0.Add(time.Duration(s) * time.Second)} }
	for i := range pods {
		name := fmt.Sprintf("web-%d", i)
		s.Put(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("u-" + name)},
			Spec:       corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Name: "app", Image: "web:1"}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
				Name: "app", RestartCount: 1, ContainerID: fmt.Sprintf("containerd://new%d", i),
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(-5)}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
					ExitCode: 137, Reason: "Error", StartedAt: at(-60 - i), FinishedAt: at(-10 - i),
					ContainerID: fmt.Sprintf("containerd://old%d", i),
				}},
			}}},
		})
		s.Handle("/api/v1/namespaces/shop/pods/"+name+"/log", func(w http.ResponseWriter, _ *http.Request) {
			// a client that has gone is not the test's concern
			_, _ = fmt.Fprintf(w, "%s Memory cgroup out of memory: Killed process 1 (app) password=hunter2hunter2\n",
				t0.Add(-11*time.Second).Format(time.RFC3339Nano))
		})
	}
	return s
}

func reported(t *testing.T, s *kubetest.Server, args ...string) *report.Report {
	t.Helper()
	env, out, errOut := testEnv()
	env.Now = func() time.Time { return t0 }
	args = append([]string{"kubectl-restartwhy", "--kubeconfig", s.Kubeconfig("shop"), "-o", "json"}, args...)
	if code := Run(t.Context(), env, args); code != 0 {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	var r report.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// No rule reads what an application wrote: reports with and without it differ in it alone.
func TestVerdictsAreTheSameWithAndWithoutTheApplicationsWords(t *testing.T) {
	s := wordy(t, 3)
	without, with := reported(t, s), reported(t, s, "--previous-logs")
	if len(with.Items) != 3 {
		t.Fatalf("%d items", len(with.Items))
	}
	for i := range with.Items {
		log := with.Items[i].PreviousLog
		if log == nil || len(log.Lines) != 1 || log.ContainerID != with.Items[i].From.ContainerID ||
			!strings.HasPrefix(log.Lines[0].Text, "Memory cgroup out of memory") ||
			strings.Contains(log.Lines[0].Text, "hunter2") {
			t.Errorf("log %+v", log)
		}
		if without.Items[i].PreviousLog != nil {
			t.Error("a log that nobody asked for")
		}
		with.Items[i].PreviousLog = nil
	}
	if d := cmp.Diff(without, with); d != "" {
		t.Errorf("the words change the report (-without +with):\n%s", d)
	}
}

func TestTheLogsOfManyContainersAreBounded(t *testing.T) {
	s := wordy(t, mostWords+3)
	r := reported(t, s, "--previous-logs")
	read := 0
	for i := range r.Items {
		if r.Items[i].PreviousLog != nil {
			read++
		}
	}
	said := ""
	for _, g := range r.Gaps {
		if g.Source == "container-log" {
			said += g.Why
		}
	}
	if read != mostWords || said != "last lines are read of 50 containers, and not of 3 more" {
		t.Errorf("%d logs were read: %s", read, said)
	}
	if r.Items[0].PreviousLog == nil {
		t.Error("the newest end has none")
	}
}

// A log that cannot be read is a gap, and the others are there.
func TestALogThatIsRefusedCostsItselfAlone(t *testing.T) {
	s := wordy(t, 2)
	s.Handle("/api/v1/namespaces/shop/pods/web-1/log", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	r := reported(t, s, "--previous-logs")
	logs, gaps := map[string]bool{}, ""
	for i := range r.Items {
		logs[r.Items[i].Pod] = r.Items[i].PreviousLog != nil
	}
	for _, g := range r.Gaps {
		if g.Source == "container-log" {
			gaps += g.Why
		}
	}
	if !logs["web-0"] || logs["web-1"] || !strings.HasPrefix(gaps, "last lines of shop/web-1/app: ") {
		t.Errorf("%v, %q", logs, gaps)
	}
}

// The analyzer knows of these words no more than that reports can carry them.
func TestNoRuleNamesTheApplicationsWords(t *testing.T) {
	root := filepath.Join("..", "..", "..", "analyzer")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() && (rel == "report" || rel == "present") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if seen++; err == nil && strings.Contains(strings.ToLower(string(text)), "previouslog") {
			t.Errorf("%s speaks of previous logs", rel)
		}
		return err
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files seen: %v", seen, err)
	}
}

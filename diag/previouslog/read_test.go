package previouslog

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// path is the log's of the pod that the tests ask for.
const path = "/api/v1/namespaces/shop/pods/web-0/log"

var asksFor = Instance{Namespace: "shop", Pod: "web-0", Container: "app", ID: "old"}

func ended(id string) corev1.ContainerState {
	return corev1.ContainerState{
		Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, ContainerID: "containerd://" + id},
	}
}

// web is a pod whose container is in a state now and was in another before.
func web(now, last corev1.ContainerState) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "u"}, Spec: corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{
			ContainerStatuses: []corev1.ContainerStatus{{Name: "app", State: now, LastTerminationState: last}},
		},
	}
}

var (
	running = corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	waiting = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
)

// answers serves one pod and a log, and reads the log of the instance "old".
func answers(t *testing.T, pod *corev1.Pod, log http.HandlerFunc) (lines []string, gap string, asked []string) {
	t.Helper()
	s := kubetest.Serve(t)
	if pod != nil {
		s.Put(pod)
	}
	s.Handle(path, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("previous"))
		if r.URL.Query().Get("container") != "app" || r.URL.Query().Get("timestamps") != "true" {
			t.Errorf("asked for %s", r.URL)
		}
		log(w, r)
	})
	got, missing := Reader{Pods: s.Client(), Logs: kube.Raw(s.Client().Core())}.Read(t.Context(), asksFor)
	if got != nil {
		lines = []string{}
		for _, l := range got.Lines {
			lines = append(lines, l.Text.String())
		}
	}
	if missing != nil {
		gap = missing.Why
		if missing.Source != Kind || !strings.HasPrefix(gap, "last lines of shop/web-0/app: ") {
			t.Errorf("gap %+v", missing)
		}
	}
	return lines, gap, asked
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, text) } // a client that has gone
}

func refuses(code int, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		reason := map[int]string{403: "Forbidden", 404: "NotFound", 400: "BadRequest", 500: "InternalError"}[code]
		_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":"%s"}`,
			code, reason, strings.NewReplacer(`"`, `\"`, "\x1b", `\u001b`).Replace(message))
	}
}

const panics = "2026-11-21T07:00:09.5Z starting\n2026-11-21T07:00:10.123456789Z panic: no config\n"

func TestTheLogIsThatOfTheInstance(t *testing.T) {
	for name, c := range map[string]struct {
		now, last corev1.ContainerState
		previous  string
	}{
		"it runs again":                       {running, ended("old"), "true"},
		"it waits":                            {waiting, ended("old"), "true"},
		"it is over":                          {ended("old"), corev1.ContainerState{}, "false"},
		"it is over, and so is one before it": {ended("old"), ended("older"), "false"},
	} {
		lines, gap, asked := answers(t, web(c.now, c.last), says(panics))
		if d := cmp.Diff([]string{"starting", "panic: no config"}, lines); d != "" || gap != "" {
			t.Errorf("%s: %s %s", name, gap, d)
		}
		if d := cmp.Diff([]string{c.previous}, asked); d != "" {
			t.Errorf("%s: previous %s", name, d)
		}
	}
}

func TestLinesThatMayBeOfAnotherInstanceAreNotShown(t *testing.T) {
	for name, c := range map[string]struct {
		pod *corev1.Pod
		gap string
	}{
		"it ended again":       {web(running, ended("newer")), "it ended again"},
		"no instance is named": {web(running, corev1.ContainerState{}), "does not name the instance"},
		"an end without an id": {web(running, ended("")), "does not name the instance"},
		"another container of the pod": {
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0"}}, "does not name"},
		"the pod is gone": {nil, "the pod is gone, and its logs with it"},
	} {
		lines, gap, asked := answers(t, c.pod, says(panics))
		if lines != nil || !strings.Contains(gap, c.gap) || asked != nil {
			t.Errorf("%s: %v, %q, asked %v", name, lines, gap, asked)
		}
	}
}

func TestAnEndWhileTheLogIsReadIsSeen(t *testing.T) {
	s := kubetest.Serve(t)
	s.Put(web(running, ended("old")))
	s.Handle(path, func(w http.ResponseWriter, _ *http.Request) {
		s.Put(web(running, ended("newer")))
		_, _ = fmt.Fprint(w, panics)
	})
	log, gap := Reader{Pods: s.Client(), Logs: kube.Raw(s.Client().Core())}.Read(t.Context(), asksFor)
	if log != nil || gap == nil || !strings.Contains(gap.Why, "it ended again") {
		t.Errorf("%v, %v", log, gap)
	}
}

func TestARefusalIsAGapByItsName(t *testing.T) {
	for name, c := range map[string]struct {
		log http.HandlerFunc
		gap string
	}{
		"forbidden": {refuses(403, "pods \"web-0\" is forbidden"), "this user may not read the logs of containers"},
		"gone":      {refuses(404, "pods \"web-0\" not found"), "the pod is gone"},
		"no container before": {refuses(400, `previous terminated container "app" in pod "web-0" not found`),
			"the kubelet knows no container that ended before this one"},
		"a node that is down": {refuses(500, `Get "https://10.0.0.1:10250/containerLogs/shop/web-0/app": dial tcp 10.0.0.1:10250: i/o timeout`),
			"the API server does not reach the kubelet of node n1"},
		"other words of the kubelet": {refuses(400, "container is \x1b[31mred"), "the kubelet says: container is ^[[31mred"},
		"a container that was removed": {says("unable to retrieve container logs for containerd://old"),
			"the kubelet says: unable to retrieve container logs for containerd://old"},
		"a file that was removed": {says(`failed to try resolving symlinks in path "/var/log/pods/x/0.log": no such file or directory`),
			"the kubelet says: failed to try resolving symlinks"},
	} {
		lines, gap, _ := answers(t, web(running, ended("old")), c.log)
		if lines != nil || !strings.Contains(gap, c.gap) {
			t.Errorf("%s: %v, %q", name, lines, gap)
		}
	}
}

func TestWhatWasReadBeforeAnErrorIsShown(t *testing.T) {
	lines, gap, _ := answers(t, web(running, ended("old")), says(panics+"failed to read the log\n"))
	if len(lines) != 2 || !strings.Contains(gap, "the kubelet says: failed to read the log") {
		t.Errorf("%v, %q", lines, gap)
	}
	if lines, gap, _ := answers(t, web(running, ended("old")), says("")); len(lines) != 0 || lines == nil || gap != "" {
		t.Errorf("an empty log: %v, %q", lines, gap)
	}
}

func TestASilentKubeletIsNamed(t *testing.T) {
	gap := asksFor.refused(fmt.Errorf("get log: %w", context.DeadlineExceeded), "n1")
	if gap.Node != "n1" || !strings.Contains(gap.Why, "no answer within 10s; does the kubelet of node n1 run?") {
		t.Errorf("%+v", gap)
	}
}

func stamped(lines ...string) string {
	var b strings.Builder
	for i, l := range lines {
		at := time.Date(2026, 11, 21, 7, 0, i, 0, time.UTC)
		fmt.Fprintf(&b, "%s %s\n", at.Format("2006-01-02T15:04:05.000000000Z07:00"), l)
	}
	return b.String()
}

func TestTheEndOfALogIsKept(t *testing.T) {
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf("line %d", i))
	}
	log, _ := parse(stamped(many...))
	if len(log.Lines) != MaxLines || log.Lines[MaxLines-1].Text.String() != "line 59" || !log.Earlier {
		t.Errorf("%d lines, the last %v, earlier %v", len(log.Lines), log.Lines[len(log.Lines)-1], log.Earlier)
	}
	if at := log.Lines[MaxLines-1].At; !at.Equal(time.Date(2026, 11, 21, 7, 0, 59, 0, time.UTC)) {
		t.Errorf("at %s", at)
	}
	log, _ = parse(stamped("first", strings.Repeat("wide ", 700), strings.Repeat("é", 900), "last"))
	size := 0
	for _, l := range log.Lines {
		size += len(l.Text.String())
	}
	if size > MaxBytes || len(log.Lines) != 2 || log.Lines[1].Text.String() != "last" || !log.Earlier {
		t.Errorf("%d bytes in %d lines", size, len(log.Lines))
	}
	log, _ = parse(stamped("first", "panic: "+strings.Repeat("é", 9000)))
	if len(log.Lines) != 1 || !strings.HasPrefix(log.Lines[0].Text.String(), "panic: é") || !log.Earlier {
		t.Errorf("one long line: %d lines", len(log.Lines))
	}
}

// Secrets that go over lines are gone from all of them, also where the log begins within one.
func TestSecretsAreTakenOut(t *testing.T) {
	const body = "MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY2PuoAoGCCqGSM49"
	for name, lines := range map[string][]string{
		"a key": {"a", "-----BEGIN EC PRIVATE KEY-----", body, "shortRest9=",
			"-----END EC PRIVATE KEY-----", "b"},
		"its end alone":              {"shortRest9=", "-----END EC PRIVATE KEY-----", "b"},
		"its end, and a certificate": {"shortRest9=", "-----END EC PRIVATE KEY----------BEGIN CERTIFICATE-----", "b"},
		"a variable of a pod":        {"- name: DB_PASSWORD", "  value: shortRest9", "b"},
		"a name that is coloured":    {"\x1b[36mINFO\x1b[0m up \x1b[36mpassword\x1b[0m=shortRest9", "b"},
		"its middle alone":           {body, body, "b"},
		"a block of YAML":            {"password: |", "  shortRest9=", "b: c"},
		"a quote over lines":         {`password="one`, `shortRest9="`, "b"},
		"a password in a line":       {"login with password=shortRest9= now", "b"},
	} {
		log, _ := parse(stamped(lines...))
		if len(log.Lines) != len(lines) {
			t.Errorf("%s: %d lines of %d", name, len(log.Lines), len(lines))
		}
		for _, l := range log.Lines {
			if s := l.Text.String(); strings.Contains(s, "shortRest9") || strings.Contains(s, "MHcCAQ") {
				t.Errorf("%s: %q", name, s)
			}
		}
	}
	log, _ := parse(stamped("sha256 4b222463b4cd48ff4b222463b4cd48ff4b222463b4cd48ff4b222463b4cd48ff", "\x1b[31mred\u202e"))
	if s := log.Lines[1].Text.String(); strings.ContainsAny(s, "\x1b\u202e") {
		t.Errorf("%q", s)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(panics)
	f.Add(stamped("-----BEGIN X-----", "a", "-----END X-----"))
	f.Add("no stamp\n2026-11-21T07:00:09Z \n")
	f.Fuzz(func(t *testing.T, raw string) {
		log, _ := parse(raw)
		size := 0
		for _, l := range log.Lines {
			size += len(l.Text.String())
		}
		if len(log.Lines) > MaxLines || size > 2*MaxBytes {
			t.Fatalf("%d lines of %d bytes", len(log.Lines), size)
		}
	})
}

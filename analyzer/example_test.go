package analyzer_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
)

const pod = `{"kind": "Pod", "apiVersion": "v1",
  "metadata": {"name": "web-0", "namespace": "shop", "uid": "7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"},
  "spec": {"containers": [{"name": "app", "image": "registry.example/web:7"}]},
  "status": {"phase": "Running", "containerStatuses": [{
    "name": "app", "restartCount": 1, "containerID": "containerd://bb",
    "state": {"running": {"startedAt": "2026-03-01T10:05:02Z"}},
    "lastState": {"terminated": {"exitCode": 3, "reason": "Error", "containerID": "containerd://aa",
      "startedAt": "2026-03-01T10:00:02Z", "finishedAt": "2026-03-01T10:05:01Z"}}}]}}`

// What `kubectl get pod web-0 -o json` printed, as the only file of a bundle.
func ExampleAnalyze() {
	files, err := bundle.Read("pod.json", strings.NewReader(pod), bundle.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	files.Files[0].Path = "cluster/pods.json"
	at := time.Date(2026, 3, 1, 10, 10, 0, 0, time.UTC)
	snapshot := diag.Observe(diag.Load(files, apiobject.Hasher{}), at)

	for _, item := range analyzer.Analyze(snapshot, analyzer.Options{GeneratedAt: at}).Items {
		fmt.Println(item.Pod, item.Container, "exit code", *item.From.ExitCode)
		fmt.Println(item.Verdict.Confidence, item.Verdict.Cause)
	}
	// Output:
	// web-0 app exit code 3
	// likely app-exit-error
}

package kubeletmsg

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var probeMessages = []struct {
	message string
	want    ProbeMessage
	ok      bool
}{
	{"Liveness probe failed: HTTP probe failed with statuscode: 500",
		ProbeMessage{evidence.ProbeLiveness, false, "HTTP probe failed with statuscode: 500"}, true},
	{"Readiness probe failed: dial tcp 10.0.0.1:80: connect: connection refused",
		ProbeMessage{evidence.ProbeReadiness, false, "dial tcp 10.0.0.1:80: connect: connection refused"}, true},
	{"Startup probe failed: ", ProbeMessage{evidence.ProbeStartup, false, ""}, true},
	{"Liveness probe errored: rpc error: code = DeadlineExceeded",
		ProbeMessage{evidence.ProbeLiveness, true, "rpc error: code = DeadlineExceeded"}, true},
	{"Liveness probe errored and resulted in unknown state: rpc error", ProbeMessage{evidence.ProbeLiveness, true, "rpc error"},
		true},
	{"Liveness probe warning: redirected", ProbeMessage{}, false},
	{"Sanity probe failed: no", ProbeMessage{}, false},
	{"something else", ProbeMessage{}, false},
}

func TestProbeMessages(t *testing.T) {
	for _, c := range probeMessages {
		if got, ok := ParseProbe(c.message); got != c.want || ok != c.ok {
			t.Errorf("ParseProbe(%q) = %+v, %t, want %+v, %t", c.message, got, ok, c.want, c.ok)
		}
	}
}

func TestImageMessages(t *testing.T) {
	for message, want := range map[string]string{
		`Container image "nginx:1.25" already present on machine`:                                                  "nginx:1.25",
		`Container image "nginx:1.25" already present on machine and can be accessed by the pod`:                   "nginx:1.25",
		`Successfully pulled image "r.example/a@sha256:00" in 1.2s (1.2s including waiting). Image size: 5 bytes.`: "r.example/a@sha256:00",
		`Pulling image "nop"`:            "nop",
		`pulling image "nop"`:            "nop",
		`Pulling image "nop`:             "",
		`Failed to pull image "nop": no`: "",
		`Back-off pulling image "nop"`:   "",
		``:                               "",
	} {
		if got := ParseImage(message); got != want {
			t.Errorf("ParseImage(%q) = %q, want %q", message, got, want)
		}
	}
}

func FuzzDetails(f *testing.F) {
	for _, c := range probeMessages {
		f.Add(c.message)
	}
	f.Add(`Pulling image "x"`)
	f.Fuzz(func(t *testing.T, message string) {
		if p, ok := ParseProbe(message); ok == (p.Type == "") {
			t.Fatalf("ParseProbe(%q) = %+v, %t", message, p, ok)
		}
		if image := ParseImage(message); len(image) >= len(message) && image != "" {
			t.Fatalf("ParseImage(%q) = %q", message, image)
		}
	})
}

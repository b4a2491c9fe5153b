package dockerevent_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/dockerevent"
)

func TestEndsOfEvents(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", 4)
	const docker, podman = "2024-03-05T10:12:44.3Z container ", "2024-03-05 10:12:44.3 +0200 CEST container "
	const utc, cest = "2024-03-05T10:12:44.3Z", "2024-03-05T10:12:44.3+02:00"
	for line, want := range map[string]dockerevent.End{
		docker + "die " + id + " (exitCode=139, image=x, name=db)": {id, "db", utc, uint64(139), false},
		podman + "died " + id + " (name=db, containerExitCode=1)":  {id, "db", cest, uint64(1), false},
		podman + "died " + id + " (image=x, name=db)":              {id, "db", cest, nil, false},
		podman + "died " + id + " (name=db, containerExitCode=x)":  {},
		"Mar  5 08:12:44 n1 podman[7]: 2024-03-05 10:12:44.3 +0200 CEST m=+0.1 container died " + id + " (name=db)": {id, "db",
			cest, nil, false},
		docker + "start " + id + " (image=x, name=db)":         {},
		docker + "die " + id + " (exitCode=1, name=a, name=b)": {},
		docker + "die " + id + " (exitCode=999, name=db)":      {},
		docker + "die " + id + " (exitCode=1)":                 {},
	} {
		got := dockerevent.Ends([]string{line})
		if len(got) != 1 && want.ID != "" || len(got) == 1 && got[0] != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
		if !dockerevent.Is(line) {
			t.Errorf("%s is no event", line)
		}
	}
	ends := dockerevent.Ends([]string{docker + "oom " + id + " (name=db)",
		docker + "die " + id + " (exitCode=137, name=db)"})
	if len(ends) != 1 || !ends[0].OOM {
		t.Errorf("a kill for memory: %+v", ends)
	}
}

func TestStatesOfInspect(t *testing.T) {
	ran := map[string]any{"Running": true, "ExitCode": 0, "FinishedAt": "2024-03-05T10:12:44.3Z"}
	if got := dockerevent.Terminated(ran); got["exitCode"] != nil || got["reason"] != nil || !dockerevent.Ended(ran) {
		t.Errorf("it runs, and its last exit has no code: %v", got)
	}
	if dockerevent.Ended(map[string]any{"Running": true, "FinishedAt": "0001-01-01T00:00:00Z"}) {
		t.Error("it never ended")
	}
	got := dockerevent.Terminated(map[string]any{"OOMKilled": true, "ExitCode": 137, "FinishedAt": "x"})
	if got["reason"] != "OOMKilled" || got["exitCode"] != 137 {
		t.Errorf("%v", got)
	}
	const never = "0001-01-01T00:00:00Z"
	got = dockerevent.Terminated(map[string]any{"OOMKilled": true, "ExitCode": 137, "FinishedAt": never,
		"StartedAt": "2024-03-05T10:12:44.3Z"})
	if _, dated := got["finishedAt"]; dated || got["reason"] != "OOMKilled" {
		t.Errorf("it had started: %v", got)
	}
	for code, want := range map[any]string{0: "Completed", 0.0: "Completed", 3: "Error"} {
		if got := dockerevent.Terminated(map[string]any{"ExitCode": code, "FinishedAt": "x"}); got["reason"] != want {
			t.Errorf("code %v: %v, want %s", code, got, want)
		}
	}
	made := map[string]any{"Running": false, "ExitCode": 127, "Error": "exec: \"x\"", "StartedAt": never,
		"FinishedAt": never}
	if got := dockerevent.Terminated(made); got["reason"] != "ContainerCannotRun" || got["finishedAt"] != nil ||
		!dockerevent.Ended(made) {
		t.Errorf("it could not be started: %v", got)
	}
	if made["ExitCode"] = 0; dockerevent.Ended(made) {
		t.Error("it was not started yet")
	}
}

func FuzzEnds(f *testing.F) {
	f.Add("2024-03-05T10:12:44.3Z container die " + strings.Repeat("a", 64) + " (exitCode=1, name=db)")
	f.Fuzz(func(t *testing.T, line string) {
		for _, e := range dockerevent.Ends([]string{line}) {
			if e.Name == "" || e.At == "" || e.Code == nil && !strings.Contains(line, "died") {
				t.Errorf("%+v", e)
			}
		}
	})
}

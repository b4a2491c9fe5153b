package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestTheTableHolds(t *testing.T) {
	var out bytes.Buffer
	ok, err := run(&out, table)
	if err != nil || !ok {
		t.Fatalf("%v\n%s", err, out.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	sum := lines[len(lines)-1]
	if len(lines) != last-first+2 || !strings.HasPrefix(sum, "verify: ") || !strings.HasSuffix(sum, " 0 problems") {
		t.Errorf("%d lines, the last: %s", len(lines), sum)
	}
}

// Each mutation breaks the table in one way that the check must find.
func TestWhatTheCheckFinds(t *testing.T) {
	const kill = "22-\tIV2\tS\tkuberuntime/kuberuntime_container.go\tKilling container with a grace period\tpod,podUID,containerName,containerID,gracePeriod\tkubelet.kill-started"
	if !strings.Contains(table, kill+"\n") {
		t.Fatal("the row that is mutated is not there")
	}
	// With only this row every other rule matches no message; those complaints are the same with and without a
	// mutation.
	problems := func(table string) map[string]bool {
		rows, err := read(table)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for _, p := range check(rows).problems {
			out[p] = true
		}
		return out
	}
	before := problems(kill)
	for name, c := range map[string]struct{ row, want string }{
		"a message that decides and has another text": {strings.Replace(kill,
			"Killing container with", "Stopping container with", 1), "says [], not [kubelet.kill-started]"},
		"a message that is gone": {strings.Replace(kill, "22-", "22-35", 1),
			"v1.36: the rule \"Killing container with a grace period\" \"\" meets no message"},
		"a message that came earlier": {strings.Replace(kill, "22-", "21-", 1), "is for v1.22 to 0"},
		"a message without a key":     {strings.Replace(kill, ",gracePeriod", "", 1), "says [], not [kubelet.kill-started]"},
		"another statement": {strings.Replace(kill, "kill-started", "kill-decided", 1),
			"says [kubelet.kill-started], not [kubelet.kill-decided]"},
		"a statement where none is expected": {strings.Replace(kill, "kubelet.kill-started", "-", 1),
			"says [kubelet.kill-started], not []"},
		"a message that nobody has judged": {strings.Replace(kill, "kubelet.kill-started", "?", 1),
			"nobody has said what it becomes"},
		"a lower verbosity": {strings.Replace(kill, "IV2", "I", 1), "takes it for V2, it is at V0"},
	} {
		t.Run(name, func(t *testing.T) {
			found := false
			for p := range problems(c.row) {
				found = found || !before[p] && strings.Contains(p, c.want)
			}
			if !found {
				t.Errorf("%q is not among the problems", c.want)
			}
		})
	}
}

func TestATableThatCannotBeReadIsAnError(t *testing.T) {
	for name, row := range map[string]string{
		"columns": "22-\tI\tS\tf.go\tx\t-", "minors": "x-\tI\tS\tf.go\tx\t\t-", "the last minor": "22-x\tI\tS\tf.go\tx\t\t-",
		"verbosity": "22-\tIVx\tS\tf.go\tx\t\t-",
	} {
		if _, err := run(&bytes.Buffer{}, row+"\n"); err == nil || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLinesAreRenderedAsKubeletsPrintThem(t *testing.T) {
	rows, err := read(table)
	if err != nil {
		t.Fatal(err)
	}
	find := func(text string, minor int) message {
		for _, m := range rows {
			if m.text == text && m.in(minor) {
				return m
			}
		}
		t.Fatalf("no message %q in v1.%d", text, minor)
		return message{}
	}
	const head = "I1121 07:24:45.454287   24911 "
	for _, c := range []struct {
		text  string
		minor int
		want  string
	}{
		{"Killing container %q with a %d second grace period", 20, head +
			`kuberuntime_container.go:1] Killing container "docker://` + cid + `" with a 30 second grace period`},
		{"Message for Container of pod", 27, head +
			`kuberuntime_manager.go:1] "Message for Container of pod" containerName="a" containerStatusID={Type:containerd ID:` +
			cid + `} pod="shop/web" containerMessage="Container a failed liveness probe, will be restarted"`},
		{"Message for Container of pod", 28, head +
			`kuberuntime_manager.go:1] "Message for Container of pod" containerName="a" containerStatusID={"Type":"containerd","ID":"` + cid + `"} pod="shop/web" containerMessage="Container a failed liveness probe, will be restarted"`},
		{"SyncLoop ADD", 22, head + `kubelet.go:1] "SyncLoop ADD" source="api" pods="` + pod + `"`},
		{"SyncLoop ADD", 26, head + `kubelet.go:1] "SyncLoop ADD" source="api" pods="[shop/web]"`},
		{"Pod is orphaned and must be torn down", 36, head +
			`pod_workers.go:1] "Pod is orphaned and must be torn down" pod="shop/web" podUID="` + uid + `" updateType="x"`},
	} {
		if got := render(find(c.text, c.minor), c.minor); got != c.want {
			t.Errorf("v1.%d\n%s\nnot\n%s", c.minor, got, c.want)
		}
	}
}

package cli

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// pastedSession is what a colleague sends from a terminal.
const pastedSession = `[ops@jump ~]$ kubectl -n shop get pods
NAME    READY   STATUS             RESTARTS      AGE
web-0   0/1     CrashLoopBackOff   7 (2m ago)    25m
[ops@jump ~]$ kubectl -n shop describe pod web-0 | grep -A6 'Last State'
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Mon, 02 Mar 2026 10:00:00 +0000
      Finished:     Mon, 02 Mar 2026 10:05:12 +0000
    Ready:          False
    Restart Count:  7
`

func TestASessionIsReadPartByPart(t *testing.T) {
	tests := map[string]struct {
		text string
		want string // causes and confidences
	}{
		"a session": {pastedSession, "shop/web-0 oom-container-limit possible"},
		"its piece alone": {pastedSession[strings.Index(pastedSession, "    Last"):],
			"default/? oom-container-limit possible"},
		"no code is no zero": {strings.ReplaceAll(pastedSession, "Exit Code", "Excluded"),
			"shop/web-0 oom-container-limit possible"},
		"another reason without a code": {strings.NewReplacer("Exit Code", "Excluded", "OOMKilled", "Error").
			Replace(pastedSession), "shop/web-0 app-exit-error possible"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(test.text)
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o",
				`jsonpath={range .items[*]}{.namespace}/{.pod} {.verdict.cause} {.verdict.confidence}{end}`})
			if code != command.ExitDone || strings.TrimSpace(out.String()) != test.want {
				t.Errorf("%q, want %q (%d, %s)", out, test.want, code, errs)
			}
		})
	}
}

// What another machine printed says nothing of the one on which the container ran, whoever is alone in the file.
func TestAnotherMachinesPromptIsNotTheNode(t *testing.T) {
	const pod = `$ kubectl describe pod web -n shop
Name:         web
Namespace:    shop
Node:         n1/10.0.0.1
Start Time:   Tue, 05 Mar 2024 09:00:00 +0000
Status:       Running
Containers:
  app:
    Container ID:   containerd://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    State:          Running
      Started:      Tue, 05 Mar 2024 10:20:40 +0000
    Last State:     Terminated
      Reason:       Error
      Exit Code:    137
      Started:      Tue, 05 Mar 2024 09:00:10 +0000
      Finished:     Tue, 05 Mar 2024 10:20:38 +0000
    Restart Count:  1
    Limits:
      memory:  64Mi
Events:  <none>

`
	const killed = "dmesg -T\n[Tue Mar  5 10:20:37 2024] Memory cgroup out of memory: Killed process 4321 (nginx) " +
		"total-vm:123kB, anon-rss:12kB, file-rss:0kB, shmem-rss:0kB\n"
	for text, want := range map[string]string{
		"[root@n1 ~]# uptime -s\n2024-03-05 10:20:36\n":        "node-reboot likely",
		"[root@localhost ~]# uptime -s\n2024-03-05 10:20:36\n": "node-reboot likely",
		"$ uptime -s\n2024-03-05 10:20:36\n":                   "node-reboot likely",
		"[root@n2 ~]# uptime -s\n2024-03-05 10:20:36\n":        "oom-container-limit possible",
		"[root@n1 ~]# " + killed:                               "oom-container-limit likely",
		"$ ssh n1 " + killed:                                   "oom-container-limit likely",
		"[root@n2 ~]# " + killed:                               "oom-container-limit possible",
		"$ ssh n2 " + killed:                                   "oom-container-limit possible",
	} {
		t.Run(text, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(pod + text)
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o",
				`jsonpath={range .items[*]}{.verdict.cause} {.verdict.confidence}{end}`})
			if code != command.ExitDone || strings.TrimSpace(out.String()) != want {
				t.Errorf("%q, want %q (%d, %s)", out, want, code, errs)
			}
		})
	}
}

package cli

import (
	"strings"
	"testing"
)

// A klog value of several lines is one value, however the log was kept.
func TestValuesOfSeveralLinesAreWhole(t *testing.T) {
	messages := [][]string{
		{`I1121 09:00:09.000000      80 server.go:467] "Kubelet version" kubeletVersion="v1.28.15"`},
		{`I1121 09:00:10.000300      80 kuberuntime_manager.go:1010] "Message for Container of pod" containerName="app" containerStatusID={"Type":"containerd","ID":"` + killedID + `"} pod="shop/web-0" containerMessage=<`,
			"\tContainer app needs this:", "\tto be restarted", " >"},
		{`I1121 09:00:10.000400      80 kuberuntime_container.go:808] "Killing container with a grace period" pod="shop/web-0" podUID="` + killedPod + `" containerName="app" containerID="containerd://` + killedID + `" gracePeriod=30`},
		{`I1121 09:00:10.500300      80 generic.go:334] "Generic (PLEG): container finished" podID="` +
			killedPod + `" containerID="` + killedID + `" exitCode=137`},
	}
	const syslog = "Nov 21 09:00:10 n1 kubelet[80]: "
	forms := map[string]func(b *strings.Builder, n int, line string){
		"klog":          func(b *strings.Builder, n int, line string) { b.WriteString(line + "\n") },
		"an entry each": func(b *strings.Builder, n int, line string) { b.WriteString(syslog + line + "\n") },
		"journalctl's indent": func(b *strings.Builder, n int, line string) {
			if n > 0 {
				line = strings.Repeat(" ", len(syslog)) + line
			} else {
				line = syslog + line
			}
			b.WriteString(line + "\n")
		},
		"journalctl's indent behind a monotonic time": func(b *strings.Builder, n int, line string) {
			const mono = "[   12.345678] n1 kubelet[80]: "
			if n > 0 {
				line = strings.Repeat(" ", len(mono)) + line
			} else {
				line = mono + line
			}
			b.WriteString(line + "\n")
		},
		"a container's output": func(b *strings.Builder, n int, line string) {
			b.WriteString("2026-11-21T09:00:10.5Z stderr F " + line + "\n")
		},
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, m := range messages {
				for n, line := range m {
					form(&b, n, line)
				}
			}
			whole(t, b.String())
		})
	}
	t.Run("rsyslog's octal numbers", func(t *testing.T) {
		var b strings.Builder
		for _, m := range messages {
			b.WriteString(syslog + strings.ReplaceAll(strings.Join(m, "#012"), "\t", "#011") + "\n")
		}
		whole(t, b.String())
	})
}

func whole(t *testing.T, log string) {
	t.Helper()
	env, out, errOut := testEnv()
	env.Streams.In = strings.NewReader(log)
	if code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o", "json"}); code != 0 {
		t.Fatal(errOut)
	}
	if !strings.Contains(out.String(), "(Container app needs this:⏎to be restarted)") {
		t.Errorf("the value is torn: %s", out)
	}
}

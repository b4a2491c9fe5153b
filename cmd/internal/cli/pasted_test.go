package cli

import (
	"strings"
	"testing"
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
			Replace(pastedSession), "shop/web-0 unknown unknown"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(test.text)
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o",
				`jsonpath={range .items[*]}{.namespace}/{.pod} {.verdict.cause} {.verdict.confidence}{end}`})
			if code != exitDone || strings.TrimSpace(out.String()) != test.want {
				t.Errorf("%q, want %q (%d, %s)", out, test.want, code, errs)
			}
		})
	}
}

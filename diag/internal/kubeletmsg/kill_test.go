package kubeletmsg

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// killMessages are the sentences as kubelets wrote them, oldest first.
var killMessages = []struct {
	message string
	want    KillMessage
}{
	// 1.5–1.6, dockertools
	{"Killing container with docker id 0a1b2c3d4e5f: Need to kill pod.", KillMessage{evidence.KillPod, ""}},
	{"Killing container with docker id 0a1b2c3d4e5f: pod \"web_default(u)\" container \"a\" hash changed (123 vs 456), it will be killed and re-created.", KillMessage{evidence.KillDefinition, "a"}},
	{"Killing container with docker id 0a1b2c3d4e5f: pod \"web_default(u)\" container \"a\" is unhealthy, it will be killed and re-created.", KillMessage{evidence.KillLiveness, "a"}},
	{"pod \"web_default\" container \"a\" is unhealthy (probe result: failure), it will be killed and re-created.",
		KillMessage{evidence.KillLiveness, "a"}},
	{"Killing container with docker id 0a1b2c3d4e5f", KillMessage{}},
	{"Killing container with docker id 0a1b2c3d4e5f: PostStart handler: it said no", KillMessage{evidence.KillPostStart, ""}},
	// 1.5–1.6, CRI
	{"Killing container with id docker://0a1b2c3d4e5f6a7b:Need to kill Pod", KillMessage{evidence.KillPod, ""}},
	{"Killing container with id docker://0a1b2c3d4e5f6a7b", KillMessage{}},
	{"Pod \"web\" container \"a\" hash changed (123 vs 456), it will be killed and re-created.",
		KillMessage{evidence.KillDefinition, "a"}},
	// 1.7–1.13: the name stands where the id should
	{"Killing container with id docker://web:Need to kill Pod", KillMessage{evidence.KillPod, "web"}},
	{"Killing container with id docker://web:Container spec hash changed (3363766738 vs 1567843711).. Container will be killed and recreated.", KillMessage{evidence.KillDefinition, "web"}},
	{"Killing container with id docker://web:Container failed liveness probe.. Container will be killed and recreated.",
		KillMessage{evidence.KillLiveness, "web"}},
	{"Killing container with id docker://web:FailedPostStartHook", KillMessage{evidence.KillPostStart, "web"}},
	// 1.8–1.13, as the log has it
	{"Container spec hash changed (3363766738 vs 1567843711).", KillMessage{evidence.KillDefinition, ""}},
	{"Container failed liveness probe.. Container will be killed and recreated.", KillMessage{evidence.KillLiveness, ""}},
	{"Container failed liveness probe.", KillMessage{evidence.KillLiveness, ""}},
	// 1.14+
	{"Stopping container a", KillMessage{evidence.KillPod, "a"}},
	{"Container kube-proxy definition changed, will be restarted", KillMessage{evidence.KillDefinition, "kube-proxy"}},
	{"Container a failed liveness probe, will be restarted", KillMessage{evidence.KillLiveness, "a"}},
	{"Container a failed liveness probe", KillMessage{evidence.KillLiveness, "a"}},
	{"Container a failed startup probe, will be restarted", KillMessage{evidence.KillStartup, "a"}},
	{"Container a failed startup probe", KillMessage{evidence.KillStartup, "a"}},
	{"Init container s failed liveness probe", KillMessage{evidence.KillLiveness, "s"}},
	{"Init container s failed startup probe", KillMessage{evidence.KillStartup, "s"}},
	{"Init container s definition changed", KillMessage{evidence.KillDefinition, "s"}},
	{"Container a resize requires restart", KillMessage{evidence.KillResize, "a"}},
	{`Container is in "unknown" state, try killing it before restart`, KillMessage{evidence.KillUnknownState, ""}},
	{`Init container is in "unknown" state, try killing it before restart`, KillMessage{evidence.KillUnknownState, ""}},
	{"Container is in unknown state, try killing it before removal", KillMessage{evidence.KillUnknownState, ""}},
	{"FailedPostStartHook", KillMessage{evidence.KillPostStart, ""}},
	{"killing", KillMessage{evidence.KillRestartAll, ""}},
	{"Killing 676b8bb84ce7267dd520deca4811c8f10a53e636352f06987f42fe425acedd80", KillMessage{}}, // up to 1.0
	// of which somebody took the name out
	{"Container <name> definition changed, will be restarted", KillMessage{evidence.KillDefinition, ""}},
	{"Container [REDACTED] failed liveness probe, will be restarted", KillMessage{evidence.KillLiveness, ""}},
	{"Container xxx failed startup probe", KillMessage{evidence.KillStartup, ""}},
	{"Container *** failed startup probe", KillMessage{evidence.KillStartup, ""}},
	{"Stopping container (x) of (y)", KillMessage{evidence.KillOther, ""}},
	{"Container <a> and b definition changed", KillMessage{evidence.KillOther, ""}},
	// what is none of them, or only quotes one
	{"", KillMessage{}},
	{"Stopping container a and more", KillMessage{evidence.KillOther, ""}},
	{"note: Container a failed liveness probe", KillMessage{evidence.KillOther, ""}},
	{"Container A failed liveness probe", KillMessage{evidence.KillOther, ""}},
	{"Container a\x1b[2J definition changed", KillMessage{evidence.KillOther, ""}},
	{"Pod \"web\" container \"a\" was moved, it will be killed and re-created.", KillMessage{evidence.KillOther, ""}},
}

func TestEveryKillMessageOfEveryVersionHasItsReason(t *testing.T) {
	for _, c := range killMessages {
		if got := ParseKill(c.message); got != c.want {
			t.Errorf("ParseKill(%q) = %+v, want %+v", c.message, got, c.want)
		}
		if got := KillReasonOf(c.message + " \n"); got != c.want.Reason {
			t.Errorf("KillReasonOf(%q with a line end) = %q, want %q", c.message, got, c.want.Reason)
		}
	}
}

func TestAContainerNamedLikeAWordOfTheSentence(t *testing.T) {
	if got := ParseKill("Container definition definition changed, will be restarted"); got != (KillMessage{evidence.KillDefinition, "definition"}) {
		t.Errorf("got %+v", got)
	}
}

func FuzzParseKill(f *testing.F) {
	for _, c := range killMessages {
		f.Add(c.message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		got := ParseKill(message)
		message = strings.TrimSpace(message)
		none := message == "" || unreasoned.MatchString(message) || strings.HasPrefix(message, "Killing container with ")
		if got.Reason == "" && !none || got.Container != "" && !ContainerName(got.Container) {
			t.Fatalf("ParseKill(%q) = %+v", message, got)
		}
	})
}

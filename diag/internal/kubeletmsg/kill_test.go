package kubeletmsg

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// killMessages are the sentences as kubelets wrote them, oldest first.
var killMessages = []struct {
	message string
	want    Kill
}{
	// 1.5–1.6, dockertools
	{"Killing container with docker id 0a1b2c3d4e5f: Need to kill pod.", Kill{evidence.KillPod, ""}},
	{"Killing container with docker id 0a1b2c3d4e5f: pod \"web_default(u)\" container \"a\" hash changed (123 vs 456), it will be killed and re-created.", Kill{evidence.KillDefinition, "a"}},
	{"Killing container with docker id 0a1b2c3d4e5f: pod \"web_default(u)\" container \"a\" is unhealthy, it will be killed and re-created.", Kill{evidence.KillLiveness, "a"}},
	{"Killing container with docker id 0a1b2c3d4e5f", Kill{evidence.KillOther, ""}},
	{"Killing container with docker id 0a1b2c3d4e5f: PostStart handler: it said no", Kill{evidence.KillPostStart, ""}},
	// 1.5–1.6, CRI
	{"Killing container with id docker://0a1b2c3d4e5f6a7b:Need to kill Pod", Kill{evidence.KillPod, ""}},
	{"Killing container with id docker://0a1b2c3d4e5f6a7b", Kill{evidence.KillOther, ""}},
	{"Pod \"web\" container \"a\" hash changed (123 vs 456), it will be killed and re-created.",
		Kill{evidence.KillDefinition, "a"}},
	// 1.7–1.13: the name stands where the id should
	{"Killing container with id docker://web:Need to kill Pod", Kill{evidence.KillPod, "web"}},
	{"Killing container with id docker://web:Container spec hash changed (3363766738 vs 1567843711).. Container will be killed and recreated.", Kill{evidence.KillDefinition, "web"}},
	{"Killing container with id docker://web:Container failed liveness probe.. Container will be killed and recreated.",
		Kill{evidence.KillLiveness, "web"}},
	{"Killing container with id docker://web:FailedPostStartHook", Kill{evidence.KillPostStart, "web"}},
	// 1.8–1.13, as the log has it
	{"Container spec hash changed (3363766738 vs 1567843711).", Kill{evidence.KillDefinition, ""}},
	{"Container failed liveness probe.. Container will be killed and recreated.", Kill{evidence.KillLiveness, ""}},
	{"Container failed liveness probe.", Kill{evidence.KillLiveness, ""}},
	// 1.14+
	{"Stopping container a", Kill{evidence.KillPod, "a"}},
	{"Container kube-proxy definition changed, will be restarted", Kill{evidence.KillDefinition, "kube-proxy"}},
	{"Container a failed liveness probe, will be restarted", Kill{evidence.KillLiveness, "a"}},
	{"Container a failed liveness probe", Kill{evidence.KillLiveness, "a"}},
	{"Container a failed startup probe, will be restarted", Kill{evidence.KillStartup, "a"}},
	{"Container a failed startup probe", Kill{evidence.KillStartup, "a"}},
	{"Init container s failed liveness probe", Kill{evidence.KillLiveness, "s"}},
	{"Init container s failed startup probe", Kill{evidence.KillStartup, "s"}},
	{"Init container s definition changed", Kill{evidence.KillDefinition, "s"}},
	{"Container a resize requires restart", Kill{evidence.KillResize, "a"}},
	{`Container is in "unknown" state, try killing it before restart`, Kill{evidence.KillUnknownState, ""}},
	{`Init container is in "unknown" state, try killing it before restart`, Kill{evidence.KillUnknownState, ""}},
	{"Container is in unknown state, try killing it before removal", Kill{evidence.KillUnknownState, ""}},
	{"FailedPostStartHook", Kill{evidence.KillPostStart, ""}},
	{"killing", Kill{evidence.KillRestartAll, ""}},
	// what is none of them, or only quotes one
	{"", Kill{evidence.KillOther, ""}},
	{"Stopping container a and more", Kill{evidence.KillOther, ""}},
	{"note: Container a failed liveness probe", Kill{evidence.KillOther, ""}},
	{"Container A failed liveness probe", Kill{evidence.KillOther, ""}},
	{"Container a\x1b[2J definition changed", Kill{evidence.KillOther, ""}},
	{"Pod \"web\" container \"a\" was moved, it will be killed and re-created.", Kill{evidence.KillOther, ""}},
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
	if got := ParseKill("Container definition definition changed, will be restarted"); got != (Kill{evidence.KillDefinition, "definition"}) {
		t.Errorf("got %+v", got)
	}
}

func FuzzParseKill(f *testing.F) {
	for _, c := range killMessages {
		f.Add(c.message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		got := ParseKill(message)
		if got.Reason == "" || got.Container != "" && !containerName(got.Container) {
			t.Fatalf("ParseKill(%q) = %+v", message, got)
		}
	})
}

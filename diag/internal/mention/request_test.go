package mention

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// In a request only what was seen tells of an end.
func TestARequestTellsOfWhatWasSeen(t *testing.T) {
	for text, ends := range map[string]bool{
		"# [Feature] Tell users when a pod restarts\n\nA message when it is in CrashLoopBackOff, please.\n":          false,
		"# feat(agent): Add a flag for restarts with exit code 0\n\nCloses https://h/pod-restarts/22\n":              false,
		"# Consider the last log lines for pods that were killed\n\nWe could add 200 bytes when a container dies.\n": false,
		"# How to restart the pod without a gap\n\nI need to restart it, and kubectl delete pod has a gap.\n":        false,
		"# Unclear what restarts\n\nThe documentation says: the containers have been killed and recreated.\n":        true,
		"# docs: the eviction page\n\nThe pods are evicted then.\n":                                                  false,
		"# feat: more memory for the controller\n\nThe pod has been OOMKilled three times this week.\n":              true,
		"# Add a limit\n\nWe see the pod OOMKilled each night.\n":                                                    true,
		"# Increase the memory limit\n\nThe pod is OOMKilled with 64Mi.\n":                                           true,
		"# Update to 1.25 kills all pods\n\nAll pods are killed and restarted since.\n":                              true,
		"# Remove of a claim leaves pods in CrashLoopBackOff\n\nThe pod keeps crashing.\n":                           true,
		"# Ignore SIGTERM\n\nEvery night the pod is killed with 137.\n":                                              true,
		"# Added more memory, the container still dies with 137\n\nIt is OOMKilled.\n":                               true,
		"# Return code of the container is 139\n\nThe pod restarts.\n":                                               true,
		"# Adding a second disk evicts all pods\n\nAll pods get evicted.\n":                                          true,
		"# Write amplification kills etcd\n\nThe pod is OOMKilled during compaction.\n":                              true,
		"# Add a startup probe\n\nWithout it the liveness probe keeps killing the pod while it starts.\n":            true,
	} {
		got := read(text, "issue.md") + asks(text)
		if (got != "") != ends {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// Every word of trouble is judged by itself.
func TestWhatIsNoTrouble(t *testing.T) {
	for s, want := range map[string]string{
		"the pod does not start":                                  "does not start",
		"one pod works well, another one crashes":                 "crashes",
		"128Mi are not sufficient for the pod, it gets restarted": "restarted",
		"nothing was killed":                                      "",
		"I want to restart the pod":                               "",
		"the log of terminated pods is gone":                      "gone",
		"see https://example.com/pods-crash":                      "",
		"the container could not be restarted":                    "could not be restarted",
		"the restart policy of the pod is Always":                 "",
		"restart count is 5 for the pod":                          "restart",
		"our pods do not restart, they stay in Unknown":           "pods do not restart",
	} {
		got := ""
		if at := trouble(s); at != nil {
			got = s[at[0]:at[1]]
		}
		if want == "gone" { // of the log
			want = ""
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestWhoMissesAnEndAsksForNone(t *testing.T) {
	for _, text := range []string{
		"# The reloader does nothing\n\nI changed the map to restart it, but my pod is not getting restarted.\n",
		"# Pods stay on a lost node\n\nThe pods are never evicted, though the node has been off for hours.\n",
	} {
		if e := Of(text, "issue.md", printed).asked(naming.Names{}, true); e != nil {
			t.Errorf("%q: %+v", text, e)
		}
	}
}

// An editor's line breaks are no ends of sentences.
func TestWrappedSentencesAreReadWhole(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a sentence": {"Some of the pods had no policy for restarts, which caused them to\ngo in a loop.\n",
			"Some of the pods had no policy for restarts, which caused them to go in a loop.\n"},
		"an end":       {"The pods had no policy for restarts, none of the ones here.\nthen it stopped to run\n", ""},
		"a short line": {"The pods crash\nand so on it goes\n", ""},
		"a list":       {"The pods of this namespace have been there for some time\n- one crashed\n", ""},
		"a table":      {"NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\nshop   web-0   1/1   Running   0   3d\n", ""},
		"a command":    {"kubectl get pods -n shop: the pod web-0 is in CrashLoopBackOff\nits log has an error in it\n", ""},
		"a fence":      {"```\nSome of the pods had no policy for restarts, which caused them to\ngo in a loop.\n```\n", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		if got := unwrapped(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if !strings.Contains(read("The pod has a small limit for what it holds, and so it was\nOOMKilled\n", "a.txt"), "OOMKilled") {
		t.Error("the end of a wrapped sentence is not read")
	}
}

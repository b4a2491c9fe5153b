package mention

import (
	"strings"
	"testing"
)

// What a person says of an end says less than the line of the log below it.
func TestTheLineOfALogIsQuotedBeforeASentence(t *testing.T) {
	const said = "Our pod cart-0 in namespace shop has restarted 11 times. Its last words:\n\n"
	for text, want := range map[string]string{
		said + "```\n{\"level\":\"error\",\"error\":\"leader election lost\"}\n```": "election lost",
		said + "```\n{\"level\":\"info\",\"msg\":\"listening\"}\n```":               "has restarted 11 times",
	} {
		if got := read(text, "said.md"); !strings.Contains(got, want) {
			t.Errorf("%q tells %s, want %s", text, got, want)
		}
	}
}

func TestThePreviousLogTellsOfAnEnd(t *testing.T) {
	for text, want := range map[string]string{
		"$ kubectl logs -p deploy/api -n stage\n10:21 INFO starting\nFATAL giving up":        `"reason":"Error"`,
		"kubectl logs sync-0 -n data --previous\nschema 41 > 40, bye":                        `"sync-0"`,
		"[root@b ~]# oc logs cart-0 -n shop --previous | tail -1\nbye":                       `"shop"`,
		"Hi, output of kubectl -n ml logs train-0 -c main --previous:\n```\nno device\n```":  `"train-0"`,
		"kubectl logs cart-0 --previous\nError from server (BadRequest): previous not found": "",
		"kubectl logs cart-0 --previous\n" +
			"Error from server (BadRequest): previous terminated container \"app\" in pod \"cart-0\" not found": "",
		"1. kubectl get pods\n2. kubectl logs POD --previous\n3. kubectl get events":               "",
		"$ kubectl logs <pod> --previous\nlook for the last line":                                  "",
		"```\nkubectl logs cart-0 --previous\n```\nThat prints nothing.":                           "",
		"$ kubectl logs cart-0\nserver listening on :8080":                                         "",
		"What is the difference between Always and OnFailure? When does a pod get restarted?":      "",
		"The alert KubePodCrashLooping fires when a pod restarts more than 5 times in 10 minutes.": "",
	} {
		if got := read(text, "said.txt"); (got != "") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q tells %q, want %q", text, got, want)
		}
	}
}

package excerpt

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

var printedAt = time.Date(2026, 3, 2, 10, 10, 0, 0, time.UTC)

func TestWhatStandsAroundPastedLinesIsTakenOff(t *testing.T) {
	const entry = "Mar 02 10:05:12 n1 kubelet[812]: I0302 10:05:12.000000     812 kubelet.go:2476] text"
	const row = "0123456789ab   0123456789abcdef   2 minutes ago   Exited   app   3   fedcba987654   web-0"
	for name, c := range map[string]struct{ text, want string }{
		"a mail's marks":            {"> " + entry + "\n> \n> " + entry, entry + "\n\n" + entry},
		"a mail's mark of one line": {"e.g.\n> " + entry, "e.g.\n" + entry},
		"a hypervisor's word before the kernel's": {
			"2023-12-04T11:02:17.310Z In(05) vcpu-2 - Guest: <4>[38114077.120101] a invoked oom-killer",
			"[38114077.120101] a invoked oom-killer"},
		"a console's":             {"n1 console [  941.120101] a invoked oom-killer", "[  941.120101] a invoked oom-killer"},
		"a number in brackets":    {"n1 console [941.12] x", "n1 console [941.12] x"},
		"one of them is a prompt": {"> kubectl get pods", "> kubectl get pods"},
		"grep's file and number":  {"messages-2026.gz:7612:" + entry, entry},
		"a pager's number":        {"  12 " + entry, entry},
		"a list":                  {"- " + entry, entry},
		"backticks of one line":   {"` " + entry + "`", entry},
		"backticks of several":    {"`\"State\": {\n},\n`", "\"State\": {\n},\n"},
		"a fence within a list": {"    ```\n    $ docker ps -a\n    " + row + "\n    ```",
			"```\n$ docker ps -a\n" + row + "\n```"},
		"a table in remarks": {"$ kubectl get pods\n# NAME    READY   STATUS    RESTARTS   AGE\n# web-0   1/1     Running   1          2h",
			"$ kubectl get pods\nNAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   1          2h"},
		"without a blank": {"#NAME    READY   STATUS    RESTARTS   AGE\n#web-0   1/1     Running   1          2h",
			"NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   1          2h"},
		"a remark about a table": {"# NAME READY STATUS RESTARTS AGE\nkubectl get pods", "# NAME READY STATUS RESTARTS AGE\nkubectl get pods"},
		"typographic quotes":     {"$ kubectl get pods \u201cweb\u201d", `$ kubectl get pods "web"`},
		"what HTML writes":       {"$ kubectl get pods &gt; all.txt", "$ kubectl get pods > all.txt"},
		"a bold command":         {"**#kubectl get pods**", "# kubectl get pods"},
		"a bold cell":            {"web-0   1/1   Running   **13 (3d8h ago)**   27d", "web-0   1/1   Running   13 (3d8h ago)   27d"},
		"a remark":               {"      Reason:   Error       <<<<<<< this one", "      Reason:   Error"},
		"a remark in brackets":   {"      Exit Code:    137 (SIGKILL)", "      Exit Code:    137"},
		"a remark that denies": {"      Exit Code:    137 (not OOM, I checked)",
			"      Exit Code:    137 (not OOM, I checked)"},
		"bold marks around lines": {"    **Last State:   Terminated\n      Exit Code:   3**\n",
			"    Last State:   Terminated\n      Exit Code:   3\n"},
		"an event in brackets": {"[Warning][ci/build-1-x][FailedMount] MountVolume.SetUp failed",
			"ci   0s   Warning   FailedMount   pod/build-1-x   MountVolume.SetUp failed"},
		"a level in brackets": {"[Warning][2026/03/02][Slow] request", "[Warning][2026/03/02][Slow] request"},
		"a reason in brackets": {"  Last State:   Terminated (OOMKilled)",
			"  Last State:   Terminated\n    Reason: OOMKilled"},
		"several values in one line": {"    Reason: Error, Exit Code: 3", "    Reason: Error, Exit Code: 3"},
		"a state below": {"Last State:\n  Terminated\n  Reason: Error",
			"    Last State: Terminated\n\n      Reason: Error"},
		"an object without its end": {"```\n{\n \"a\": [\n  {\n   \"b\": \"c]\",\n```",
			"```\n{\n\"a\": [\n {\n  \"b\": \"c]\"}]}\n```"},
		"an object that ends within a value": {"{\n \"a\": \"b", "{\n \"a\": \"b\"}"},
		"a whole object":                     {"{\n \"a\": 1\n}\n", "{\n \"a\": 1\n}\n"},
		"what was cut out of an object": {"metadata:\n  name: web-0\n...\nspec:\n  [...]\nstatus:\n  <snip>\n  phase: Failed",
			"metadata:\n  name: web-0\nspec:\nstatus:\n  phase: Failed"},
		"what was cut out between two objects": {"metadata:\n  name: web-0\nstatus:\n  a: 1\n...\nmetadata:\n  name: api-0",
			"metadata:\n  name: web-0\nstatus:\n  a: 1\n...\nmetadata:\n  name: api-0"},
		"a key that is there twice": {"a:\n- b: 1\n  c:\n    d: 2\n...\n    d: 3\n",
			"a:\n- b: 1\n  c:\n    d: 2\n...\n    d: 3\n"},
		"an item behind a cut":         {"a:\n- b: 1\n  c: 2\n...\n- b: 3\n", "a:\n- b: 1\n  c: 2\n- b: 3\n"},
		"an item of a list of objects": {"items:\n- b: 1\n  c:\n  - d: 2\n...\n  - d: 3\n", "items:\n- b: 1\n  c:\n  - d: 2\n...\n  - d: 3\n"},
		"the end of a document":        {"kind: Pod\n...\napiVersion: v1", "kind: Pod\n...\napiVersion: v1"},
		"dots between outputs":         {"one\n...\ntwo", "one\n...\ntwo"},
		"nothing":                      {entry + "\nand a word\n\n  indented", entry + "\nand a word\n\n  indented"},
	} {
		got, _ := tidy(c.text, printedAt)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestALogInMarksIsWorn(t *testing.T) {
	const entry = "I0302 10:05:12.000000     812 kubelet.go:2476] text"
	for text, want := range map[string]bool{
		"`" + entry + "\n" + entry + "`": true, "a\n> " + entry: true, "> `" + entry + "`": true,
		entry: false, "> kubectl get pods": false, "`a word`": false, "  " + entry: false,
	} {
		if Worn(text) != want {
			t.Errorf("Worn(%q) is not %v", text, want)
		}
	}
}

func TestALogBelowAnOutputIsPasted(t *testing.T) {
	const kernel = "[216849.758981] exe invoked oom-killer: gfp_mask=0x14000c0, order=0, oom_score_adj=873\n"
	for text, want := range map[string]bool{
		"    Last State:     Terminated\n      Exit Code:    128\n" + kernel: true,
		"  State:  Waiting\n\n" + kernel:                                     true,
		"$ dmesg | tail -n 1\n" + kernel:                                     true,
		kernel:                                                               false,
		"on one node:\n\n" + kernel:                                          false,
		kernel + "    Last State:     Terminated\n":                          false,
		"State: the one of the machine\n" + kernel:                           false,
	} {
		if got := Prompted(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestATableHasTheNamespaceOfTheCommandBesideIt(t *testing.T) {
	const table = "NAME    READY   STATUS             RESTARTS   AGE\nweb-0   0/1     CrashLoopBackOff   4          19h\n"
	for name, text := range map[string]string{
		"another command": table + "\nkubectl -n shop logs web-0 -p\n\npanic: x\n",
		"an alias":        "\u276f kgpn shop\n" + table,
		"kubens":          "$ kubens shop\nActive namespace is \"shop\".\n$ k get po\n" + table,
		"oc project":      "[core@b ~]$ oc project shop\nNow using project \"shop\" on server \"https://x\".\n[core@b ~]$ oc get pods\n" + table,
		"a context":       "$ kubectl config set-context --current --namespace=shop\n$ kubectl get pods\n" + table,
		"a prompt":        "(⎈ |prod-eu:shop) ~ k get po\n" + table,
		"a pictogram":     "\u26a1 kgp -n shop\n" + table,
	} {
		f, ok := Read(text, "a.txt", describe.Place{}, printedAt)
		if !ok || len(f.Whole) != 1 || !strings.HasPrefix(f.Whole[0].Text(), "NAMESPACE") ||
			!strings.Contains(f.Whole[0].Text(), "\nshop ") {
			t.Errorf("%s: %v, %+v", name, ok, f.Whole)
		}
	}
}

func TestLinesWithoutAHeaderGetOne(t *testing.T) {
	const words = `"Killing container with a grace period" pod="shop/web-0" containerName="app" gracePeriod=30`
	for name, c := range map[string]struct{ line, want string }{
		"up to the file":        {"kuberuntime_container.go:722] " + words, "I0302 10:10:00.000001       1 kuberuntime_container.go:722] " + words},
		"up to the time":        {"09:08:07.123456     812 kubelet.go:1] " + words, "I0302 09:08:07.123457       1 kubelet.go:1] " + words},
		"up to the date":        {"0301 09:08:07.123456     812 kubelet.go:1] " + words, "I0301 09:08:07.123457       1 kubelet.go:1] " + words},
		"the message alone":     {words, "I0302 10:10:00.000001       1 kubelet.go:1] " + words},
		"a printed message":     {`SyncLoop (PLEG): "web-0_shop(u1)", event: x`, `I0302 10:10:00.000001       1 kubelet.go:1] SyncLoop (PLEG): "web-0_shop(u1)", event: x`},
		"a quoted word":         {`"Hello world" is what it prints`, `"Hello world" is what it prints`},
		"a file of a program":   {"see main.go:12 for that", "see main.go:12 for that"},
		"with its whole header": {"I0302 10:05:12.000000     812 kubelet.go:2476] " + words, "I0302 10:05:12.000000     812 kubelet.go:2476] " + words},
	} {
		got, _ := tidy(c.line, printedAt)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSentencesThatStandAlone(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // words that the one object has
	}{
		"an eviction": {"The node was low on resource: memory. Container app was using 2Gi, which exceeds its request of 0.\n",
			[]string{`"reason":"Evicted"`, `"phase":"Failed"`}},
		"behind its field": {"Message:   Pod was terminated in response to imminent node shutdown.\n", []string{`"reason":"Terminated"`}},
		"of kubelet 1.20":  {"Message:  Node is shutting, evicting pods\n", []string{`"reason":"Shutdown"`}},
		"behind the pod's name": {"web-0\t\tEvicted\t\tThe node was low on resource: ephemeral-storage. Container app was using 9Gi.\n",
			[]string{`"name":"web-0"`, `"reason":"Evicted"`}},
		"a back-off": {"Error: back-off 5m0s restarting failed container=app pod=web-0_shop(0b6b3a3c)\n",
			[]string{`"name":"web-0"`, `"namespace":"shop"`, "spec.containers{app}"}},
		"a start that failed": {`Error: failed to start container "app": no such file` + "\n", []string{"spec.containers{app}", `"reason":"Failed"`}},
		"a probe that failed": {"Liveness probe failed: HTTP 503\n", []string{`"reason":"Unhealthy"`, "HTTP 503"}},
		"a row of a console":  {"5:28:07 PM | Warning | Unhealthy | Liveness probe failed: 503 |\n", []string{`"reason":"Unhealthy"`, `503"`}},
		"a changed sandbox":   {"*Pod sandbox changed, it will be killed and re-created.*\n", []string{`"reason":"SandboxChanged"`}},
		"an event without its kind": {`{"reason":"Killing","message":"Stopping container app","involvedObject":{"name":"web-0","namespace":"shop"}}` + "\n",
			[]string{`"kind":"Event"`, "described/shop/web-0"}},
		"an event cut out of a list": {"- apiVersion: v1\n  involvedObject:\n    kind: Pod\n    name: web-0\n  message: x\n  reason: Evicted\n",
			[]string{`"kind":"Event"`, `"reason":"Evicted"`, "described/default/web-0"}},
		"several sentences": {"The node was low on resource: memory. \nThe node was low on resource: memory. Container app was using 2Gi.\n",
			[]string{`"reason":"Evicted"`, `"The node was low on resource: memory. Container app was using 2Gi."`}},
		"a pod that was moved": {"pod/web-0 evicted\n", []string{`"name":"web-0"`, `"component":"kubectl-drain"`}},
		"an old event": {"  Tue, 07 Apr 2015 12:08:28 -0700\tTue, 07 Apr 2015 12:08:29 -0700\t2\t{kubelet n1}\tspec.containers{app}\t\t\tkilling\t\tKilling 0123\n",
			[]string{`"reason":"Killing"`, `"lastTimestamp":"2015-04-07T19:08:29Z"`, "spec.containers{app}"}},
	} {
		found, ok := Read(c.text, "f", describe.Place{}, printedAt)
		if !ok || len(found.Objects) != 1 {
			t.Errorf("%s: %v, %d objects", name, ok, len(found.Objects))
			continue
		}
		for _, words := range c.want {
			if raw := string(found.Objects[0]); !strings.Contains(raw, words) {
				t.Errorf("%s: no %s in %s", name, words, raw)
			}
		}
	}
}

func TestAPieceIsOfTheOnePodThatIsNamedBesideIt(t *testing.T) {
	const piece = "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n"
	for name, c := range map[string]struct{ text, beside, want string }{
		"in another file":            {piece, "web-0", `"name":"web-0"`},
		"nowhere":                    {piece, "", `"name":"?"`},
		"in a table above":           {"NAME    READY   STATUS      RESTARTS   AGE\nweb-1   0/1     OOMKilled   4          9m\n\n" + piece, "web-0", `"name":"web-1"`},
		"in the message of an event": {"  Warning  BackOff  9m  kubelet  Back-off restarting failed container app in pod web-2_shop(0b6b)\n", "", `"name":"web-2"`},
	} {
		found, ok := Read(c.text, "f", describe.Place{Pod: c.beside}, printedAt)
		if !ok || len(found.Objects) != 1 || !strings.Contains(string(found.Objects[0]), c.want) {
			t.Errorf("%s: %v, %s", name, ok, found.Objects)
		}
	}
}

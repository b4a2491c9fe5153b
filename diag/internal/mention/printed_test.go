package mention

import (
	"bytes"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// A program's own output that ends in an error is the last that a container said, where nothing else is known.
func TestOutputThatEndsInAnErrorIsAnEnd(t *testing.T) {
	for text, want := range map[string]string{
		"chown: /data: Operation not permitted\nsu: must be suid to work properly\n":                                                                "must be suid",
		"cp: can't create '/etc/app/app.conf': Read-only file system\n":                                                                             "Read-only file system",
		"starting\nconfig loaded\nError: connect ECONNREFUSED 10.0.0.7:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (net.js:1141:16)\n": "ECONNREFUSED",
		"Traceback (most recent call last):\n  File \"/app/run.py\", line 3, in <module>\n    main()\nKeyError: 'DB_HOST'\n":                        "KeyError: 'DB_HOST'",
		"2024-05-02T10:00:00Z INFO start\n2024-05-02T10:00:01Z ERROR no route to the database\n":                                                    "no route to the database",
		"level=info msg=start\nlevel=error msg=\"listen: permission denied\"\n":                                                                     "listen: permission denied",
		"/entrypoint.sh: line 12: DB_HOST: unbound variable\n":                                                                                      "unbound variable",
		"Here is what it says:\n\n```\nsh: 1: /app/run: not found\n```\n\n```yaml\nimage: cart:1\nport: 80\n```\n":                                  "/app/run: not found",
		"/usr/bin/app: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or directory\n":            "libssl",
		"Loading\nFatal: cannot read the key: open /keys/tls.key: permission denied\nExiting\n":                                                     "tls.key",
		"npm ERR! code ELIFECYCLE\nnpm ERR! cart@1.0.0 start: `node .`\n":                                                                           "npm ERR!",
		"$ docker logs cart\nsed: can't read /etc/app.conf: No such file or directory\n":                                                            "app.conf",
		"chown: /db: Operation not permitted\n$ kubectl describe node n1\nName:  n1\nEvents:  <none>\n":                                             "/db",
		"cart_1  | 2024-05-02 10:00:00 Error: connect ECONNREFUSED 10.0.0.7:5432\n":                                                                 "ECONNREFUSED",
		"[pod/cart-0/app] /run.sh: line 3: java: not found\n":                                                                                       "java",

		"cart-0 › app sh: 1: java: not found\n": "java",
		"cart-0 app sh: 1: java: not found\n":   "java",
		"Error: app.port is not a number\n\n":   "app.port",
	} {
		got := string(bytes.Join(rawOf(Of(text, "log.md", printed).Printed(naming.Names{})), nil))
		if !strings.Contains(got, want) || !strings.Contains(got, `"reason":"Error"`) || strings.Contains(got, "initContainerStatuses") {
			t.Errorf("%q: %s", text, got)
		}
		if !Of(text, "log.md", printed).In() {
			t.Errorf("%q is passed over", text)
		}
	}
	for _, text := range []string{
		"Initcontainer logs:\n\n```\nchown: /data: Operation not permitted\n```\n\nExpected: it should not fail.\n",
		"init container fix of web-0 in shop fails:\n\nchown: cannot access '/data': Permission denied\n",
	} {
		objects := Of(text, "a.md", printed).Read(naming.Names{}, true)
		if len(objects) == 0 {
			objects = Of(text, "a.md", printed).Printed(naming.Names{})
		}
		if got := string(bytes.Join(rawOf(objects), nil)); !strings.Contains(got, "initContainerStatuses") {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// What ends well, goes on, teaches, sets or programs tells of no end, and neither does what a person typed.
func TestOutputThatEndsOtherwiseIsNoEnd(t *testing.T) {
	for name, text := range map[string]string{
		"goes-on.log": "ERROR no route to the database\nINFO connected\nINFO served 3 requests\n",
		"retry.log":   "INFO start\nERROR no route to the database, retrying in 5s\n",
		"well.log":    "chown: /data/lost+found: Operation not permitted\nstarted on port 8080\n",
		"README.md":   "# Cart\n\nIt needs a right:\n\n```\nchown: /data: Operation not permitted\n```\n",
		"values.yaml": "image: cart\nmessage: \"Error: none\"\nerror: \"x: not found\"\n",
		"values.txt":  "image: cart\nlevel: debug\nerror: not found\n",
		"main.go":     "package main\n\nfunc main() {\n\tlog.Fatal(\"open: permission denied\")\n}\n",
		"note.txt":    "We were at the office and the door was closed, permission denied\n",
		"notes.txt":   "Please read the manual.\nThe error is on page 7: see there\n",
		"client.txt":  "$ kubectl get pods -n shop\nError from server (Forbidden): pods is forbidden\n",
		"client2.txt": "Error from server (NotFound): pods \"cart-0\" not found\n",
		"typed.txt":   "$ helm install cart ./cart\nError: open /root/.kube/config: permission denied\n",
		"helm.txt":    "Error: INSTALLATION FAILED: cannot re-use a name that is still in use\n",
		"test.txt":    "Phase: Succeeded\n\nError: unable to get pod logs for cart-test\n\nhelm failed:\nERROR:\n  exit status 1\n",
		"table.txt":   "NAME   READY   STATUS    RESTARTS   AGE\ncart-0   1/1   Running   0   3d\n",
		"runs.txt": "$ kubectl get pods\nNAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          5d\n" +
			"$ kubectl logs web-0\nINFO start\nError: upstream returned 502\n",
		"unit.log": "Mar  4 07:00:00 n1 sshd[900]: error: kex_exchange_identification: connection refused\n",
		"list.txt": "errors:\n- not found\n- denied\n",
		"done.log": "Compiling cart v1.0\nFinished release in 3s\n0 errors\n",
		"warn.log": "WARN disk is 80 % full\nERROR one message was skipped\n",
	} {
		if got := rawOf(Of(text, name, printed).Printed(naming.Names{})); len(got) > 0 {
			t.Errorf("%s: %s", name, bytes.Join(got, nil))
		}
	}
}

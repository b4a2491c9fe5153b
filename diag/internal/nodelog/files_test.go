package nodelog

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

const listing = `<!doctype html>
<meta name="viewport" content="width=device-width">
<pre>
<a href="journal/">journal/</a>
<a href="kubelet.log">kubelet.log</a>
<a href="messages">messages</a>
<a href="odd%2Fname">odd/name</a>
<a href="wtmp">wtmp</a>
</pre>
`

const general = `Nov 21 07:24:45 n1 kubelet[80]: I1121 07:24:45.454287      80 kubelet.go:1823] "x"
Nov 21 07:24:46 n1 sshd[99]: Accepted password for root from 10.0.0.9
Nov 21 07:24:47 n1 kernel: [  123.456] Out of memory: Killed process 13 (tail) total-vm:1kB
a line without any envelope
Nov 21 07:24:48 n1 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
`

// fileServer is a kubelet whose log query is off.
func fileServer(files map[string]string, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/api/v1/nodes/n1/proxy/logs/")
		if name == "" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, listing)
			return
		}
		*asked = append(*asked, name+" "+r.Header.Get("Range"))
		text, ok := files[name]
		if !ok {
			status(403, "Forbidden", "forbidden")(w, r)
			return
		}
		var n int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=-%d", &n); err == nil && n < len(text) {
			w.WriteHeader(http.StatusPartialContent)
			text = text[len(text)-n:]
		}
		_, _ = io.WriteString(w, text)
	}
}

func TestWhereTheQueryIsOffTheLogFilesAreRead(t *testing.T) {
	var asked []string
	pieces, gaps := collect(t, QueryOptions{},
		fileServer(map[string]string{"kubelet.log": aLine + "\n" + aLine + "\nI1121 07:2", "messages": general},
			&asked))
	if strings.Join(asked, ", ") != "kubelet.log bytes=-33554432, messages bytes=-33554432" {
		t.Errorf("asked for %v", asked)
	}
	if len(pieces) != 2 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "switched off") {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	if f := pieces[0].Files()[0]; f.Path != "nodes/n1/logs/kubelet.log" ||
		filetest.Content(t, pieces[0]) != aLine+"\n"+aLine+"\n" || f.Size != int64(len(aLine)+1)*2 {
		t.Errorf("%s, %d bytes: %q", f.Path, f.Size, filetest.Content(t, pieces[0]))
	}
	kept := filetest.Content(t, pieces[1])
	for _, want := range []string{"kubelet[80]", "kernel: ", "systemd[1]"} {
		if !strings.Contains(kept, want) {
			t.Errorf("kept %q without %s", kept, want)
		}
	}
	if strings.Contains(kept, "sshd") || strings.Contains(kept, "envelope") {
		t.Errorf("kept %q: other programs' lines are not ours to keep", kept)
	}
	b := evidence.NewBuilder(noon)
	pieces[1].Observe(b)
	if s := b.Build(); len(s.Observations) == 0 {
		t.Errorf("nothing was read of it: %+v", s.Gaps)
	}
}

func TestTheEndOfALongFileBeginsWithAWholeLine(t *testing.T) {
	var asked []string
	line := strings.TrimSuffix(lines(0, 1), "\n") + "\n"
	pieces, _ := collect(t, QueryOptions{Budget: int64(10*len(line)) + 5},
		fileServer(map[string]string{"kubelet.log": strings.Repeat(line, 100)}, &asked))
	if got := filetest.Content(t, pieces[0]); got != strings.Repeat(line, 10) {
		t.Errorf("kept %d bytes, want ten whole lines, %d", len(got), 10*len(line))
	}
}

func TestAFileThatCannotBeReadCostsOnlyItself(t *testing.T) {
	var asked []string
	pieces, gaps := collect(t, QueryOptions{}, fileServer(map[string]string{"messages": general}, &asked))
	if len(pieces) != 1 || len(gaps) != 2 || !strings.Contains(gaps[1].Why, "/var/log/kubelet.log") {
		t.Errorf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	pieces, gaps = collect(t, QueryOptions{},
		fileServer(map[string]string{"messages": "\x00\x01binary", "kubelet.log": ""}, &asked))
	if len(pieces) != 0 || len(gaps) != 2 || !strings.Contains(gaps[1].Why, "no text") {
		t.Errorf("%d pieces, gaps %+v", len(pieces), gaps)
	}
}

func FuzzListing(f *testing.F) {
	f.Add([]byte(listing))
	f.Add([]byte("<pre>\n<a href=\"..%2f..%2fetc\">x</a>\n</pre>\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, n := range names(b) {
			if n == "" || len(n) > 255 {
				t.Errorf("name %q", n)
			}
		}
	})
}

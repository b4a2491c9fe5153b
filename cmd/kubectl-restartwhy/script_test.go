package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kubectl-restartwhy": main,
		// The second name, under which kubectl asks for completions.
		"kubectl_complete-restartwhy": main,
	})
}

// TestScripts runs every command line in testdata/script as a process of its
// own, against files, and against an API server that answers from files.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("KUBECONFIG", filepath.Join(e.WorkDir, "none"))
			e.Setenv("TMPDIR", e.WorkDir)
			e.Setenv(clock.Variable, os.Getenv(clock.Variable))
			// A program under the race detector sleeps for a second before it ends, to
			// see what other goroutines still do; there are two hundred of them here.
			e.Setenv("GORACE", "atexit_sleep_ms=10")
			e.Values["t"] = t
			contrib, err := filepath.Abs(filepath.Join("..", "..", "contrib"))
			if err != nil {
				return err
			}
			e.Setenv("CONTRIB", contrib)
			e.Setenv("DEMO", filepath.Join(e.WorkDir, "demo.bundle"))
			return os.WriteFile(filepath.Join(e.WorkDir, "demo.bundle"), demo.Named(demo.Incident), 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"apiserver": apiserver, "tar": pack, "truncate": truncate, "jsonhas": jsonHas,
			"exec-code": execCode, "garbage": garbage, "terminal": terminal, "await": await, "asked": waitAsked, "agent": agent,
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// apiserver DIR serves the files of a directory as an API server would: a
// request for /api/v1/pods is answered from DIR/api/v1/pods.json, one with a label selector from
// DIR/api/v1/pods@app=web.json. FILE.deny holds the words that an access review is
// denied for. FILE.403 and
// FILE.hang beside or instead of it refuse the request or never answer it. It
// writes a kubeconfig and sets KUBECONFIG.
func apiserver(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: apiserver DIR")
	}
	dir := ts.MkAbs(args[0])
	end := make(chan struct{})
	asked := &asked{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.note(r.Method + " " + r.URL.Path + "\n")
		file := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(r.URL.Path, "/")))
		if selector := r.URL.Query().Get("labelSelector"); selector != "" {
			file += "@" + selector
		}
		status := func(code int, reason string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1",
				"status": "Failure", "code": code, "reason": reason,
				"message": strings.ToLower(reason) + ": " + r.URL.Path})
		}
		if _, err := os.Stat(file + ".hang"); err == nil {
			select {
			case <-end:
			case <-r.Context().Done():
			}
			return
		}
		if _, err := os.Stat(file + ".403"); err == nil {
			status(http.StatusForbidden, "Forbidden")
			return
		}
		if words, err := os.ReadFile(file + ".deny"); err == nil {
			review(w, r, strings.Fields(string(words)))
			return
		}
		for ext, kind := range map[string]string{".json": "application/json", ".txt": "text/plain;charset=UTF-8"} {
			if data, err := os.ReadFile(file + ext); err == nil {
				w.Header().Set("Content-Type", kind)
				_, _ = w.Write(data)
				return
			}
		}
		status(http.StatusNotFound, "NotFound")
	}))
	ts.Defer(func() {
		close(end)
		server.CloseClientConnections()
		server.Close()
		ts.Logf("asked:\n%s", asked.String())
	})
	config := ts.MkAbs("kubeconfig")
	ts.Check(os.WriteFile(config, []byte(`{"apiVersion":"v1","kind":"Config","current-context":"fake",
		"clusters":[{"name":"fake","cluster":{"server":"`+server.URL+`"}}],
		"contexts":[{"name":"fake","context":{"cluster":"fake","user":"fake","namespace":"shop"}}],
		"users":[{"name":"fake","user":{}}]}`), 0o600))
	ts.Setenv("KUBECONFIG", config)
	servers.Store(ts.Getenv("WORK"), asked)
	ts.Setenv("SERVER", server.URL)
}

// review answers a SelfSubjectAccessReview: it denies those that speak of one of
// the words. Strings stand as they are in any encoding of a request.
func review(w http.ResponseWriter, r *http.Request, words []string) {
	body, _ := io.ReadAll(r.Body) // what is missing of it is not denied
	allowed := !slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(body, []byte(word)) })
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "SelfSubjectAccessReview",
		"apiVersion": "authorization.k8s.io/v1", "status": map[string]any{"allowed": allowed}})
}

// tar ARCHIVE [name=file|name->target ...] makes a .tar.zst with entries under
// any name, also names that no honest program would use.
func pack(ts *testscript.TestScript, _ bool, args []string) {
	var entries []filetest.Entry
	for _, arg := range args[1:] {
		if name, target, ok := strings.Cut(arg, "->"); ok {
			entries = append(entries, filetest.Entry{Name: name, Body: target, Kind: tar.TypeSymlink})
			continue
		}
		name, file, _ := strings.Cut(arg, "=")
		entries = append(entries, filetest.Entry{Name: name, Body: ts.ReadFile(file)})
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), filetest.Zstd(filetest.Tar(time.Time{}, entries...)), 0o600))
}

// truncate FILE PERCENT cuts a file.
func truncate(ts *testscript.TestScript, _ bool, args []string) {
	data := ts.ReadFile(args[0])
	var percent int
	ts.Check(json.Unmarshal([]byte(args[1]), &percent))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(data[:len(data)*percent/100]), 0o600))
}

// jsonhas FILE KEY... checks that a JSON object has the keys, and that no list
// in it is null.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	var object map[string]json.RawMessage
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &object))
	for _, key := range args[1:] {
		if value, ok := object[key]; !ok == !neg || string(value) == "null" {
			ts.Fatalf("key %s: there %v, value %.80s", key, ok, value)
		}
	}
}

// exec-code CODE PROGRAM ARG... runs a program and checks its exit code.
func execCode(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want, err := strconv.Atoi(args[0]); err != nil || code != want {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// garbage FILE writes bytes that mean nothing, the same ones each time.
func garbage(ts *testscript.TestScript, _ bool, args []string) {
	data := make([]byte, 64<<10)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(data)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
}

// servers holds the requests of each script's server, by the script's directory.
var servers sync.Map

// asked PATH waits until the server was asked for a path.
func waitAsked(ts *testscript.TestScript, _ bool, args []string) {
	got, ok := servers.Load(ts.Getenv("WORK"))
	if len(args) != 1 || !ok {
		ts.Fatalf("usage: apiserver DIR, then: asked PATH")
	}
	if !clocktest.Reached(func() bool { return strings.Contains(got.(*asked).String(), " "+args[0]+"\n") }) {
		ts.Fatalf("nobody asked for %s", args[0])
	}
}

// asked is the list of requests of one server.
type asked struct {
	mu   sync.Mutex
	list strings.Builder
}

func (a *asked) note(line string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list.WriteString(line)
}

func (a *asked) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.list.String()
}

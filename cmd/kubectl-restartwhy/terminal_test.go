package main

import (
	"errors"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
)

// terminal [-keys TEXT KEYS]... PROGRAM ARG... runs a program on a terminal of
// 120x40 cells that answers no queries, and types KEYS once the program has
// written TEXT. What it wrote is stdout. Nothing else is typed, no end of
// input either: what comes after the last key would race with a program that quits.
func terminal(ts *testscript.TestScript, neg bool, args []string) {
	type step struct{ text, keys string }
	var steps []step
	for len(args) > 3 && args[0] == "-keys" {
		steps, args = append(steps, step{args[1], args[2]}), args[3:]
	}
	if len(args) == 0 {
		ts.Fatalf("usage: terminal [-keys TEXT KEYS]... PROGRAM ARG...")
	}
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), environment(ts)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	ts.Check(err)
	screen := &clocktest.Screen{}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(screen, tty) // ends with EIO once the program has closed its side
	}()
	for _, s := range steps {
		shown := func() bool { return strings.Contains(screen.String(), s.text) }
		clocktest.Reached(func() bool { return shown() || ended(read) })
		if !shown() {
			_ = cmd.Process.Kill()
			break
		}
		_, err := io.WriteString(tty, s.keys)
		ts.Check(err)
	}
	late := time.AfterFunc(clocktest.Patience, func() { _ = cmd.Process.Kill() })
	<-read
	err = cmd.Wait()
	late.Stop()
	_ = tty.Close()
	_, _ = io.WriteString(ts.Stdout(), screen.String())
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		ts.Check(err)
	case exit != nil && exit.Sys().(syscall.WaitStatus).Signaled():
		ts.Fatalf("%s: %v; it had written %q", args[0], err, screen.String())
	case (err != nil) != neg:
		ts.Fatalf("%s: %v; it had written %q", args[0], err, screen.String())
	}
}

func ended(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// environment is what the script has set, as exec would hand it on.
func environment(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"HOME", "PATH", "TMPDIR", "TERM", "LANG",
		"NO_COLOR", "KUBECONFIG", "WORK", "GORACE", clock.Variable} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// await FILE TEXT waits until a file that a program in the background writes
// holds a text.
func await(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: await FILE TEXT")
	}
	text := ""
	if !clocktest.Reached(func() bool { text = ts.ReadFile(args[0]); return strings.Contains(text, args[1]) }) {
		ts.Fatalf("%s does not hold %q; it holds %q", args[0], args[1], text)
	}
}

package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

const (
	slowBy = 100 * time.Millisecond
	limit  = 10 * slowBy
)

// slowTree is a tree of containers in which a file of each is a pipe: reading it takes as
// long as whoever writes wants.
func slowTree(t *testing.T, containers int) (mount string, pipes []string) {
	t.Helper()
	files := map[string]string{"cgroup.controllers": "memory"}
	for i := range containers {
		dir := fmt.Sprintf("kubepods/burstable/pod11111111-2222-3333-4444-%012d/%064x", i, i+1)
		files[dir+"/memory.max"] = "1048576\n"
		pipes = append(pipes, dir+"/memory.events")
	}
	mount = filetest.Plant(t, files)
	for i, p := range pipes {
		pipes[i] = filepath.Join(mount, p)
		if err := syscall.Mkfifo(pipes[i], 0o600); err != nil {
			t.Skipf("no pipes here: %v", err)
		}
	}
	return mount, pipes
}

// A tree that takes ten times the limit as a whole is read to the end. (The limit is long enough
// for a machine that does much else.)
func TestASlowTreeIsReadToTheEnd(t *testing.T) {
	t.Parallel()
	times := 10
	if testing.Short() {
		times = 3
	}
	mount, pipes := slowTree(t, 10*times)
	for _, p := range pipes {
		go func() {
			f, err := os.OpenFile(p, os.O_WRONLY, 0) // waits for the reader
			if err != nil {
				return // the reader gave up: the test says so
			}
			defer f.Close()
			time.Sleep(slowBy)
			_, _ = f.WriteString("oom_kill 7\n")
		}()
	}
	elapsed := clock.Stopwatch()
	s, gaps := collect(t, Options{Mount: mount, Timeout: limit})
	killed := 0
	for _, st := range states(t, s) {
		if strings.Contains(st, "oom_kill 7") {
			killed++
		}
	}
	if took := elapsed(); len(gaps) != 0 || killed != len(pipes) || took < time.Duration(times)*limit {
		t.Errorf("after %s: %d of %d containers, gaps %+v", took, killed, len(pipes), gaps)
	}
}

// A file of which nothing comes costs what is behind it, and the gap says so.
func TestATreeThatHangsIsAGap(t *testing.T) {
	t.Parallel()
	mount, pipes := slowTree(t, 3)
	go func() {
		f, err := os.OpenFile(pipes[0], os.O_WRONLY, 0)
		if err != nil {
			return
		}
		time.Sleep(3 * limit)
		f.Close()
	}()
	_, gaps := collect(t, Options{Mount: mount, Timeout: limit})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "read cgroups: time is over after") {
		t.Errorf("gaps %+v", gaps)
	}
}

package cgroup

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

const (
	// maxProcesses limits how many processes are looked at.
	maxProcesses = 100_000
	// maxPlaces limits how many distinct cgroups of containers are kept.
	maxPlaces = 20_000
)

// place is where the processes of one container are: their cgroup in the memory controller.
type place struct {
	Path  string `json:"path"`
	PID   int    `json:"pid"` // the lowest of them
	Count int    `json:"count"`
}

// places finds the cgroups of containers' processes in /proc/<pid>/cgroup. The path says which container it is.
func places(ctx context.Context, proc string, version int) ([]place, error) {
	entries, err := os.ReadDir(proc)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	found := map[string]*place{}
	seen := 0
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid <= 0 {
			continue
		}
		if seen++; seen > maxProcesses || len(found) >= maxPlaces {
			return nil, fmt.Errorf("list processes: more than %d, or in more than %d cgroups", maxProcesses, maxPlaces)
		}
		if seen%256 == 0 {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("list processes: %w", context.Cause(ctx))
			}
			pace.Step(ctx)
		}
		p, ok := memoryCgroup(proc, pid, version)
		if !ok {
			continue
		}
		if have := found[p]; have == nil {
			found[p] = &place{Path: p, PID: pid, Count: 1}
		} else {
			have.Count++
			have.PID = min(have.PID, pid)
		}
	}
	var out []place
	for _, p := range found {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b place) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// memoryCgroup returns the cgroup of a process, if it is a container's.
func memoryCgroup(proc string, pid, version int) (string, bool) {
	text, err := readCapped(filepath.Join(proc, strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return "", false // gone, or not visible to us
	}
	p, ok := ownCgroup(text, version)
	if !ok {
		return "", false
	}
	ref, ok := ParsePath(p)
	return p, ok && ref.Level == LevelContainer
}

// ownCgroup reads /proc/<pid>/cgroup: lines "4:memory:/path" (v1, several controllers comma-separated) and "0::/path"
// (v2). A process in another cgroup namespace than the reader's is shown with leading ".."; the part above is then
// unknown and left out.
func ownCgroup(text string, version int) (string, bool) {
	for line := range strings.Lines(text) {
		id, rest, ok := strings.Cut(strings.TrimRight(line, "\n"), ":")
		controllers, p, ok2 := strings.Cut(rest, ":")
		if !ok || !ok2 || !strings.HasPrefix(p, "/") {
			continue
		}
		if version == 2 && id == "0" && controllers == "" || version == 1 &&
			slices.Contains(strings.Split(controllers, ","), "memory") {
			p = strings.TrimSuffix(p, " (deleted)")
			return path.Clean(p), true
		}
	}
	return "", false
}

// confirm keeps the places that are unchanged: a container may have started or ended between the two looks.
func confirm(proc string, version int, seen []place) []place {
	return slices.DeleteFunc(seen, func(p place) bool {
		now, ok := memoryCgroup(proc, p.PID, version)
		return !ok || now != p.Path
	})
}

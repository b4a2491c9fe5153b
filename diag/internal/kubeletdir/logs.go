package kubeletdir

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	maxLogDirs  = 20_000
	maxLogFiles = 100_000
)

// logs is the log directory of one container.
type logs struct {
	Namespace string    `json:"namespace,omitempty"`
	Pod       string    `json:"pod,omitempty"`
	PodUID    string    `json:"podUID"`
	Container string    `json:"container"`
	Attempts  []attempt `json:"attempts"`
}

// attempt is one instance of a container, known from its log file N.log.
type attempt struct {
	Number int `json:"number"`
	// Begun is when N.log was created, if it was not rotated: after a rotation the oldest part may be gone.
	Begun   time.Time `json:"begun,omitzero"`
	Changed time.Time `json:"changed,omitzero"`
	Rotated int       `json:"rotated,omitempty"`
	// ContainerID is the id in the path of Docker's log, if N.log links to it.
	ContainerID string `json:"containerID,omitempty"`
}

// logs lists the log files of all containers, names and times only. The directories are
// <namespace>_<name>_<uid>/<container>/ (v1.14+), before that <uid>/<container>/ (kubelet kuberuntime/helpers.go
// BuildPodLogsDirectory).
func (r *reader) logs() []logs {
	dir := r.below("/var/log/pods")
	pods, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.gap(fmt.Errorf("list the logs of pods: %w", err))
		}
		return nil
	}
	var out []logs
	files := 0
	for _, p := range pods {
		id, ok := podOf(p.Name())
		if !p.IsDir() || !ok {
			continue
		}
		if r.over("list the logs of pods") {
			return out
		}
		containers, err := os.ReadDir(filepath.Join(dir, p.Name()))
		if err != nil {
			continue // removed meanwhile
		}
		pace.Step(r.ctx)
		for _, c := range containers {
			if !c.IsDir() {
				continue
			}
			if len(out) >= maxLogDirs || files >= maxLogFiles {
				r.gap(fmt.Errorf("list the logs of pods: more than are read (%d directories kept)", len(out)))
				return out
			}
			l := id
			l.Container = c.Name()
			n := l.list(filepath.Join(dir, p.Name(), c.Name()))
			files += n
			if len(l.Attempts) > 0 {
				out = append(out, l)
			}
		}
	}
	return out
}

// podOf parses a directory's name. Names of pods and namespaces contain no underscore.
func podOf(name string) (logs, bool) {
	parts := strings.Split(name, "_")
	switch len(parts) {
	case 1:
		return logs{PodUID: name}, len(name) >= 32
	case 3:
		return logs{Namespace: parts[0], Pod: parts[1], PodUID: parts[2]}, parts[2] != ""
	}
	return logs{}, false
}

// list reads the names and times of the files, and returns how many there are.
func (l *logs) list(dir string) int {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	by := map[int]*attempt{}
	for _, e := range entries {
		number, rotated, ok := logName(e.Name())
		info, err := e.Info()
		if !ok || e.IsDir() || err != nil {
			continue
		}
		a := by[number]
		if a == nil {
			a = &attempt{Number: number}
			by[number] = a
		}
		if rotated {
			a.Rotated++
			continue
		}
		name := filepath.Join(dir, e.Name())
		a.Begun, a.Changed = birth(name), info.ModTime().UTC()
		if info.Mode()&fs.ModeSymlink != 0 {
			a.link(name, info.ModTime().UTC())
		}
	}
	for _, a := range by {
		if a.Rotated > 0 {
			a.Begun = time.Time{}
		}
		l.Attempts = append(l.Attempts, *a)
	}
	slices.SortFunc(l.Attempts, func(a, b attempt) int { return a.Number - b.Number })
	return len(entries)
}

// link reads a link to Docker's own log, <id>/<id>-json.log. It was created with the container and remains when the
// container is gone.
func (a *attempt) link(name string, made time.Time) {
	a.Begun, a.Changed = made, time.Time{}
	target, err := os.Readlink(name)
	if err != nil {
		return
	}
	if id, ok := strings.CutSuffix(filepath.Base(target), "-json.log"); ok &&
		evidence.IsContainerID(id, evidence.WholeID) {
		a.ContainerID = id
	}
	if info, err := os.Stat(name); err == nil {
		a.Changed = info.ModTime().UTC()
	}
}

// logName parses "3.log", and "3.log.20261121-071158[.gz]" of a rotated log (kubelet v1.36
// logs/container_log_manager.go).
func logName(name string) (number int, rotated, ok bool) {
	digits, rest, found := strings.Cut(name, ".log")
	n, err := strconv.Atoi(digits)
	if !found || err != nil || n < 0 || n > math.MaxInt32 || rest != "" && rest[0] != '.' {
		return 0, false, false
	}
	return n, rest != "", true
}

// observe emits which instances a directory shows.
func (l logs) observe(emit func(evidence.Observation)) {
	if l.PodUID == "" || l.Container == "" || len(l.Attempts) == 0 {
		return
	}
	var f evidence.ContainerLogs
	text := "log directory of container " + l.Container + ":"
	for _, a := range l.Attempts {
		if a.Number < 0 {
			continue
		}
		f.Attempts = append(f.Attempts, evidence.LoggedAttempt{
			Number: a.Number, Begun: a.Begun.UTC(), Changed: a.Changed.UTC(), ContainerID: safetext.Ident(a.ContainerID),
		})
		text += fmt.Sprintf(" %d.log", a.Number)
		if !a.Changed.IsZero() {
			text += " (last written " + a.Changed.UTC().Format(time.RFC3339) + ")"
		}
	}
	emit(evidence.Observation{Subject: evidence.Subject{Namespace: l.Namespace,
		Pod: l.Pod, PodUID: l.PodUID, Container: l.Container}, Fact: f, Text: safetext.Clean(text)})
}

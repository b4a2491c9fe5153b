package hostprint

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Name is the file's name below nodes/<node>/.
const Name = "printed.txt"

// header is before the latest time at which the text was printed.
const header = "# printed "

// File returns the output of tools as the file of a node.
func File(node string, text []byte, printed time.Time) evidence.File {
	return evidence.Bytes(nodefile.Path(node, Name), slices.Concat(
		[]byte(header+printed.UTC().Format(time.RFC3339)+"\n"), text))
}

// NewPiece returns the piece of stored output.
func NewPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.New(evidence.SourceHostLog, node, f, func(b *evidence.Builder, data []byte) error {
		r := reader{b: b, node: node, where: f.Path, origin: &evidence.Origin{}}
		for line := range bytes.Lines(data) {
			r.line(strings.TrimRight(string(line), "\r\n"))
		}
		r.endUnit()
		r.boots()
		if r.local {
			b.Gap(evidence.Gap{Source: evidence.SourceHostLog, Node: node,
				Why: fmt.Sprintf("read %s: its times have no zone: UTC assumed", f.Path)})
		}
		if r.strange != "" {
			b.Gap(evidence.Gap{Source: evidence.SourceHostLog, Node: node, Why: fmt.Sprintf(
				"read %s: several zones are called %s, so its times are not known", f.Path, r.strange)})
		}
		return nil
	})
}

// reader goes through the lines.
type reader struct {
	b           *evidence.Builder
	node, where string
	origin      *evidence.Origin
	printed     time.Time
	local       bool   // a time has no zone
	strange     string // an ambiguous zone
	list        []booted
	placed      []string // containers whose cgroups were reported
	// the status that is being read
	unit    evidence.UnitChanged
	changed stamp
	active  bool
	pid     int
	text    []string
}

// booted is a boot in journalctl's list.
type booted struct {
	index int
	at    stamp
	line  string
}

func (r *reader) line(line string) {
	if rest, ok := strings.CutPrefix(line, header); ok {
		r.printed, _ = time.Parse(time.RFC3339, rest)
		return
	}
	if m := listed.FindStringSubmatch(line); m != nil {
		n, err := strconv.Atoi(m[1])
		if at, ok := r.zoned(m[2], m[3]); ok && err == nil {
			r.list = append(r.list, booted{n, at, line})
		}
		return
	}
	if m := ofProcess.FindStringSubmatch(line); m != nil {
		r.cgroup(m[1], line)
		return
	}
	if name, kubelet, ok := driver(line); ok {
		var f evidence.Fact = evidence.RuntimeSettings{CgroupDriver: name}
		if kubelet {
			f = evidence.KubeletSetting{Name: evidence.SettingCgroupDriver, Value: safetext.Clean(name)}
		}
		r.say(stamp{at: r.printed, zoned: true}, f, line)
		return
	}
	if m := unitHead.FindStringSubmatch(line); m != nil {
		r.endUnit()
		r.unit.Unit, r.text = safetext.Ident(m[1]), []string{line}
		return
	}
	if r.unit.Unit != "" && r.ofUnit(line) {
		return
	}
	var at stamp
	var ok bool
	if m := lastBoot.FindStringSubmatch(line); m != nil {
		at, ok = read(m[1], "", r.printed)
	} else if m := whoBoot.FindStringSubmatch(line); m != nil {
		at, ok = read(m[1], "", r.printed)
	} else if m := up.FindStringSubmatch(line); m != nil {
		at, ok = since(m[1], m[2], r.printed)
	} else if m := bare.FindStringSubmatch(line); m != nil {
		at, ok = read(m[1], "", r.printed)
	}
	if ok {
		r.boot(at, line)
	}
}

// cgroup reports that a process is in a directory whose name is systemd's spelling of a cgroup. The process has one
// such line for each controller.
func (r *reader) cgroup(path, line string) {
	ref, ok := cgroup.ParsePath(path)
	if !ok || !ref.Spec || ref.ContainerID == "" || slices.Contains(r.placed, ref.ContainerID) || len(r.placed) > 100 {
		return
	}
	r.placed = append(r.placed, ref.ContainerID)
	r.b.Observe(evidence.Observation{Time: r.printed,
		Subject: evidence.Subject{Node: r.node, PodUID: ref.PodUID, ContainerID: ref.ContainerID},
		Fact:    evidence.CgroupPlacement{Version: 1, Path: safetext.Ident(path), Outside: true, SpecForm: true},
		Source:  evidence.Source{Kind: evidence.SourceHostLog, Node: r.node, Where: r.where, Origin: r.origin},
		Text:    safetext.Clean(strings.TrimSpace(line))})
}

// zoned parses a time with its zone.
func (r *reader) zoned(s, zone string) (stamp, bool) {
	at, ok := read(s, zone, r.printed)
	if _, known := field.AheadOfUTC(zone); !known {
		r.strange = safetext.Ident(zone)
	}
	return at, ok
}

func (r *reader) boot(at stamp, line string) { r.say(at, evidence.KernelBooted{}, line) }

// boots emits the boots of a list. The beginning of the oldest one may be missing.
func (r *reader) boots() {
	oldest := 1
	for _, b := range r.list {
		oldest = min(oldest, b.index)
	}
	for _, b := range r.list {
		if b.index > oldest {
			r.boot(b.at, b.line)
		}
	}
}

// ofUnit reads a line of a unit's status and reports whether it is one.
func (r *reader) ofUnit(line string) bool {
	if m := active.FindStringSubmatch(line); m != nil {
		r.active = m[1] == "active"
		for _, word := range m[2:4] {
			if result, ok := strings.CutPrefix(word, "Result: "); ok {
				r.unit.Result = safetext.Ident(result)
			}
		}
		if at, ok := r.zoned(m[4], m[5]); ok {
			r.changed = at
		}
	} else if m := mainPID.FindStringSubmatch(line); m != nil {
		r.pid, _ = strconv.Atoi(m[1])
		number, _, _ := strings.Cut(m[3], "/")
		r.unit.Code = safetext.Ident(m[2])
		r.unit.Status, _ = strconv.Atoi(number)
	} else {
		return false
	}
	r.text = append(r.text, strings.TrimSpace(line))
	return true
}

// endUnit emits since when the current unit has been running, or not running.
func (r *reader) endUnit() {
	u := r.unit
	kubelet := slices.Contains(evidence.KubeletUnits(), u.Unit)
	if !r.changed.at.IsZero() && (kubelet || slices.Contains(evidence.RuntimeUnits(), u.Unit)) {
		text := strings.Join(r.text, "; ")
		switch {
		case r.active && kubelet:
			r.say(r.changed, evidence.KubeletStarted{PID: r.pid}, text)
		case r.active:
			r.say(r.changed, evidence.UnitChanged{Unit: u.Unit, Change: "started"}, text)
		case u.Result != "" || u.Code != "" && u.Status != 0:
			u.Change = "failed"
			r.say(r.changed, u, text)
		default:
			r.say(r.changed, evidence.UnitChanged{Unit: u.Unit, Change: "stopped"}, text)
		}
	}
	r.unit, r.changed, r.active, r.pid, r.text = evidence.UnitChanged{}, stamp{}, false, 0, nil
}

func (r *reader) say(at stamp, f evidence.Fact, text string) {
	r.local = r.local || !at.zoned
	r.b.Observe(evidence.Observation{Time: at.at, Subject: evidence.Subject{Node: r.node}, Fact: f,
		Source: evidence.Source{Kind: evidence.SourceHostLog, Node: r.node, Where: r.where, Origin: r.origin},
		Text:   safetext.Clean(strings.TrimSpace(text))})
}

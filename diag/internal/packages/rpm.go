package packages

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// actions maps rpm's words. "Upgraded", "Cleanup" and "Obsoleted" are absent: they name the old package of an upgrade,
// which the line before reported.
var actions = map[string]string{
	"Installed": "install", "Updated": "upgrade", "Upgrade": "upgrade", "Downgrade": "upgrade",
	"Reinstall": "install", "Reinstalled": "install",
	"Erased": "remove", "Removed": "remove", "Erase": "remove",
}

// RPM reads "Updated: kubelet-1.20.0-0.x86_64", with or without an epoch in front. It returns false for packages that
// do not matter.
func RPM(msg string) (evidence.PackageChanged, bool) {
	e, ok := rpm(msg)
	return evidence.PackageChanged{Manager: e.Manager, Action: e.Action, Package: safetext.Ident(e.Package),
		From: safetext.Ident(e.From), To: safetext.Ident(e.To)}, ok
}

func rpm(msg string) (entry, bool) {
	word, rest, ok := strings.Cut(msg, ": ")
	action := actions[word]
	rest = strings.TrimSpace(rest)
	if !ok || action == "" {
		return entry{}, false
	}
	if epoch, after, found := strings.Cut(rest, ":"); found && strings.Trim(epoch, "0123456789") == "" {
		rest = after
	}
	// name-version-release.arch: neither version nor release contains a dash.
	if dot := strings.LastIndexByte(rest, '.'); dot > 0 {
		rest = rest[:dot]
	}
	release := strings.LastIndexByte(rest, '-')
	if release < 0 {
		return entry{}, false
	}
	cut := strings.LastIndexByte(rest[:release], '-')
	if cut <= 0 || !matters(rest[:cut]) {
		return entry{}, false
	}
	e := entry{Manager: "rpm", Action: action, Package: rest[:cut], To: rest[cut+1:]}
	if action == "remove" {
		e.From, e.To = e.To, ""
	}
	return e, true
}

// dnf reads a line of /var/log/dnf.rpm.log:
// "2026-11-21T06:12:33+0000 SUBDEBUG Upgrade: containerd.io-1.6.20-3.1.el8.x86_64".
func dnf(line string, _ *time.Location) (entry, bool) {
	stamp, rest, ok := strings.Cut(line, " ")
	_, msg, ok2 := strings.Cut(rest, " ")
	if !ok || !ok2 {
		return entry{}, false
	}
	for _, layout := range []string{"2006-01-02T15:04:05-0700", time.RFC3339} {
		if at, err := time.Parse(layout, stamp); err == nil {
			e, ok := rpm(msg)
			e.Time = at.UTC()
			return e, ok
		}
	}
	return entry{}, false
}

// yumLine reads a line of /var/log/yum.log, which has no year: "Nov 21 06:12:33 Updated: kubelet-1.20.0-0.x86_64". It
// takes the last such day before written.
func yumLine(line string, zone *time.Location, written time.Time) (entry, bool) {
	if len(line) < len(time.Stamp)+1 {
		return entry{}, false
	}
	e, ok := rpm(line[len(time.Stamp)+1:])
	if !ok {
		return entry{}, false
	}
	at := klogline.Yearless(time.Stamp, line[:len(time.Stamp)], written.Add(time.Minute-24*time.Hour), zone)
	e.Time = at.UTC()
	return e, !at.IsZero()
}

// zypper reads a line of /var/log/zypp/history:
// "2026-11-21 06:12:33|install|containerd|1.6-1|x86_64||repo|sum|".
func zypper(line string, zone *time.Location) (entry, bool) {
	f := strings.Split(line, "|")
	if len(f) < 4 || !matters(f[2]) {
		return entry{}, false
	}
	at, err := time.ParseInLocation(time.DateTime, f[0], zone)
	e := entry{Time: at.UTC(), Manager: "rpm", Package: f[2]}
	switch strings.TrimSpace(f[1]) {
	case "install":
		e.Action, e.To = "install", f[3]
	case "remove":
		e.Action, e.From = "remove", f[3]
	}
	return e, err == nil && e.Action != ""
}

// snap reads snapd's record of a snap, /var/lib/snapd/sequence/<name>.json. It was written when the current revision
// was installed.
func snap(name string, data []byte, written time.Time) (entry, bool) {
	var s struct {
		Sequence []struct {
			Revision string `json:"revision"`
		} `json:"sequence"`
		Current string `json:"current"`
	}
	if !matters(name) || json.Unmarshal(data, &s) != nil || s.Current == "" {
		return entry{}, false
	}
	e := entry{Time: written, Manager: "snap", Action: "install", Package: name, To: s.Current}
	for i := range s.Sequence {
		if s.Sequence[i].Revision == s.Current && i > 0 {
			e.Action, e.From = "upgrade", s.Sequence[i-1].Revision
		}
	}
	return e, true
}

package finding

import (
	"cmp"
	"path"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/staticpod"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Static is what is known of a static pod: where it came from, what its kubelet did with its manifest, and whether
// another kubelet had to compute another UID for it.
type Static struct {
	// Point: the pod is a static one.
	Point
	// Removed: the kubelet removed the pod from its files while the old instance ran, as it does when the file is gone,
	// cannot be read, or yields another UID. Added: a pod of this name was added within a minute of that; No where the
	// log has none.
	Removed, Added Point
	// Instead: a pod of another name, Other, first came out of the kubelet's files when this one went: a manifest that
	// was given another name or namespace looks like this, and so does a file that another one replaced.
	Instead Point
	Other   string
	OnlyOne bool // no third pod went with it, which the new one may as well have replaced
	// Orphan: the kubelet found it running, but in none of its sources.
	Orphan Point
	// Unread: the kubelet could not read the manifest, or the directory of manifests,
	// right before.
	Unread              Point
	UnreadPath, Trouble string
	// Manifest is the path of the present file, ManifestUID the UID that it sets, and ManifestAt when it was last
	// changed.
	Manifest, ManifestUID string
	ManifestAt            Point
	// Recomputed are the changes that make the kubelet of the kill compute another UID for any manifest than the one
	// before it. SameVersion: the old instance ran under one version only, however many processes.
	Recomputed  []staticpod.UIDChange
	Was         string // the version before, where another one came
	SameVersion bool
	// SameRecipe: both are patches of one modelled minor, which compute the same UID for any manifest. Between minors,
	// a manifest may use a part of the API whose type changed.
	SameRecipe bool
	// Images says whether the instance under the new UID has another image.
	Images YesNo
}

// staticPod decides whether the pod is static, before deletions are considered: those through the API are its mirror's.
func (f *Findings) staticPod() {
	r, s := f.R, &f.Static
	o := r.Origin()
	s.Evidence = o.Evidence
	switch {
	case o.File, r.Pod != nil && r.Pod.Mirror, timeline.ComputedUID(r.PodUID):
		s.Answer = Yes
	case r.Pod != nil:
		s.Answer = No
	case r.Node != "" && strings.HasSuffix(r.PodName, "-"+strings.ToLower(r.Node)):
		// Called after its node, as static pods are: the lines about the API may be about its mirror, and the UID set in
		// its manifest.
	case o.API, strings.Count(r.PodUID, "-") == 4:
		s.Answer = No
	}
}

// mirrored reports whether it is an end of the mirror in the API: the static pod itself continues (kubelet v1.5–v1.36
// pod/mirror_client.go).
func (f *Findings) mirrored(how evidence.Ending, m timeline.Occurrence) bool {
	if f.Static.Answer != Yes {
		return false
	}
	c, ok := m.Obs.Fact.(evidence.PodConfig)
	return ok && c.Origin == "api" || how.ByAPI() && !ok
}

// staticEnd finds what the kubelet did with the manifest around the end.
func (f *Findings) staticEnd() {
	r, s := f.R, &f.Static
	if s.Answer != Yes {
		return
	}
	until := r.From.Finished
	if f.Kill.Answer == Yes && !f.Kill.At.IsZero() {
		until = f.Kill.At
	}
	for _, m := range f.T.Manifests(r.Namespace, r.PodName) {
		fact := m.Obs.Fact.(evidence.StaticManifest) // no other facts are among them
		s.Manifest, s.ManifestUID = fact.Path, fact.UID
		if !fact.Changed.IsZero() {
			s.ManifestAt = basis.Found(fact.Changed, m.Obs.ID)
		}
	}
	if !until.IsZero() {
		for _, m := range f.T.Teardowns(r.PodUID, until.Add(-tolerance.Slack), until.Add(tolerance.Slack)) {
			switch m.Obs.Fact.(evidence.PodTeardown).Reason {
			case evidence.TeardownOrphan, evidence.TeardownUnwanted:
				s.Orphan = basis.Found(m.At, append(s.Orphan.Evidence, m.Obs.ID)...)
			}
		}
	}
	began := r.From.Begun()
	for _, m := range f.T.Config(r.Namespace, r.PodName, began.Truncate(time.Second), until.Add(tolerance.Slack)) {
		c := m.Obs.Fact.(evidence.PodConfig)
		if c.Origin != "api" && c.Op == "REMOVE" && m.Obs.Subject.PodUID == r.PodUID &&
			basis.Within(m.At, began, until.Add(tolerance.Slack)) {
			s.Removed = basis.Found(m.At, m.Obs.ID)
		}
	}
	if s.Removed.Answer != Yes && f.KubeletLog {
		s.Removed.Answer = No
	}
	f.added()
	f.unread(until)
	f.recomputed()
	if next := r.Successor; next != nil && next.Instance != nil {
		if old, now := definition.Familiar(r.From.Image), definition.Familiar(next.Instance.Image); old != "" && now != "" {
			s.Images = No
			if old != now {
				s.Images = Yes
			}
		}
	}
	if e := &f.End; e.Answer != Yes && s.Orphan.Answer == Yes {
		e.Point, e.How = s.Orphan, evidence.EndRemoved
	}
	if e := &f.End; e.How == evidence.EndRemoved && e.Origin == "" {
		e.Origin = "file"
	}
}

// added looks for what the kubelet added to its files in place of what it removed: a change of one file has both at one
// moment, while a file that is moved in comes later.
func (f *Findings) added() {
	r, s := f.R, &f.Static
	if s.Removed.Answer != Yes {
		return
	}
	until := s.Removed.At.Add(tolerance.UnreadLag)
	for _, m := range f.T.Config(r.Namespace, r.PodName, s.Removed.At.Truncate(time.Second), until) {
		c := m.Obs.Fact.(evidence.PodConfig)
		if c.Origin != "api" && c.Op == "ADD" && basis.Within(m.At, s.Removed.At, until) {
			s.Added = basis.Found(m.At, m.Obs.ID)
			return
		}
	}
	// A name that changes within a file stays until the kubelet lists all its files (v1.20 and v1.37 config/file.go
	// replaceStore, file_linux.go consumeWatchEvent: its store is by name).
	other, added, only := f.T.NewInFiles(r.Node, timeline.PodName{Namespace: r.Namespace, Pod: r.PodName},
		s.Removed.At.Add(-tolerance.UnreadLag), s.Removed.At.Add(tolerance.OneMerge))
	if added != nil {
		s.Other, s.Instead = other.Namespace+"/"+other.Pod, basis.Found(added.At, added.Obs.ID)
		s.OnlyOne = only
	}
	if next := r.Successor; next != nil && (next.Instance == nil || next.Instance.Begun().Before(until)) {
		return // it was added, but the line about it is lost
	}
	if ok, verbosity := f.Node.Covered(evidence.SourceKubeletLog, s.Removed.At, until, f.Node.Binds); ok &&
		verbosity >= 2 {
		s.Added.Answer = No
	}
}

// unread looks for a manifest that could not be read right before the kill.
func (f *Findings) unread(until time.Time) {
	s := &f.Static
	if f.Node == nil || until.IsZero() {
		return
	}
	for _, m := range f.Node.Manifests {
		fact := m.Obs.Fact.(evidence.ManifestRead) // no other facts are among them
		if basis.Within(m.At, until.Add(-tolerance.UnreadLag), until.Add(tolerance.Slack)) && f.manifestOf(fact.Path) {
			s.Unread = basis.Found(m.At, append(s.Unread.Evidence, m.Obs.ID)...)
			s.UnreadPath, s.Trouble = fact.Path, fact.Why.String()
		}
	}
}

// manifestOf reports whether a file is this pod's manifest, or the directory of manifests: according to the collected
// manifests, else by the file's name, which by convention is the pod's without the node's.
func (f *Findings) manifestOf(file string) bool {
	s := &f.Static
	if s.Manifest != "" {
		return file == s.Manifest || file == path.Dir(s.Manifest)
	}
	ext := path.Ext(file)
	if ext == "" || ext == ".d" {
		return true // a directory
	}
	return strings.TrimSuffix(path.Base(file), ext)+"-"+strings.ToLower(f.R.Node) == f.R.PodName
}

// recomputed compares the kubelet that ran when the old instance was created, or the one right before, with the one
// that killed it.
func (f *Findings) recomputed() {
	s, v := &f.Static, &f.Versions
	if v.SameProcess {
		s.SameVersion = true
		return
	}
	if f.Node == nil || v.At == "" {
		return
	}
	at := cmp.Or(f.Kill.At, f.R.End())
	runs, from := f.Node.Kubelet, f.R.From.Begun()
	now := len(runs) - 1
	for now >= 0 && runs[now].Start.After(at) {
		now--
	}
	if now < 1 || !from.IsZero() && !runs[now].Start.After(from) {
		return
	}
	before := runs[now-1].Version
	if made, _ := f.Node.KubeletAt(from); made != nil && !from.IsZero() {
		before = made.Version
	}
	if before == "" {
		return
	}
	s.SameVersion = before == v.At
	if s.SameVersion {
		return
	}
	s.Was, v.Extrapolated = before, cmp.Or(v.Extrapolated, release.Unmodelled(before))
	if a, b := release.Minor(before), release.Minor(v.At); a > 0 && b > 0 {
		s.Recomputed = staticpod.Between(a, b)
		s.SameRecipe = a == b && release.Unmodelled(before, v.At) == ""
	}
}

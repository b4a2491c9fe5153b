package finding_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var byName = evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName}

// static is a static pod of one UID that was killed at 40 s; mutations add evidence.
func static(t *testing.T, uid string, mutations ...func(*analyzertest.Story)) *finding.Findings {
	t.Helper()
	code := int32(143)
	s := analyzertest.New().Logs().KubeletStarts(-500, "v1.34.4", 80)
	s.Pod.Name, s.Pod.UID, s.NodeInfo.KubeletVersion = "another", "of-another", "v1.34.4"
	was := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: uid, Container: "a", ContainerID: analyzertest.OldID}
	s.Add(evidence.SourceCRI, 42, was, evidence.ContainerRecord{State: evidence.StateExited,
		Created: at(9.9), Started: at(10), Finished: at(42), ExitCode: &code, Image: "busybox:1"})
	s.Add(evidence.SourceKubeletLog, 40, was, evidence.KillStarted{GraceSeconds: 30})
	for _, m := range mutations {
		m(s)
	}
	return find(t, s)
}

func at(s float64) time.Time { return analyzertest.At(s) }

func told(when float64, subject evidence.Subject, f evidence.Fact) func(*analyzertest.Story) {
	return func(s *analyzertest.Story) { s.Add(evidence.SourceKubeletLog, when, subject, f) }
}

func config(when float64, op, origin string) func(*analyzertest.Story) {
	return told(when, byName, evidence.PodConfig{Op: op, Origin: origin})
}

// afterNode calls the pod after its node.
func afterNode(s *analyzertest.Story) {
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Subject.Pod != "" {
			o.Subject.Pod += "-" + analyzertest.Node
		}
	}
}

func kubelet(when float64, version string) func(*analyzertest.Story) {
	return func(s *analyzertest.Story) {
		s.KubeletStarts(when, version, 2080)
		s.NodeInfo.KubeletVersion = version
	}
}

func TestWhichPodsAreStatic(t *testing.T) {
	uid := evidence.Subject{PodUID: analyzertest.PodUID}
	for name, c := range map[string]struct {
		uid    string
		change []func(*analyzertest.Story)
		want   finding.YesNo
	}{
		"a UID that kubelets compute": {analyzertest.OldStaticUID, nil, finding.Yes},
		"a UID of the API server's":   {analyzertest.PodUID, nil, finding.No},
		"such a UID in a manifest: a file's pod": {analyzertest.PodUID,
			[]func(*analyzertest.Story){config(5, "ADD", "file")}, finding.Yes},
		"the sandbox says that it came from a URL": {analyzertest.PodUID,
			[]func(*analyzertest.Story){told(9, uid, evidence.SandboxRecord{ConfigSource: "http"})}, finding.Yes},
		"the sandbox says that it came from the API": {"odd",
			[]func(*analyzertest.Story){told(9, evidence.Subject{PodUID: "odd"}, evidence.SandboxRecord{ConfigSource: "api"})},
			finding.No},
		"a mirror comes from the API, its pod does not": {analyzertest.PodUID,
			[]func(*analyzertest.Story){config(5, "ADD", "file"), config(6, "ADD", "api")}, finding.Yes},
		"a UID of no known form, and no source": {"odd", nil, finding.Unknown},
		"called after its node, and only its mirror is told of": {analyzertest.PodUID,
			[]func(*analyzertest.Story){config(6, "ADD", "api"), afterNode}, finding.Unknown},
		"called after its node, and its file is told of": {analyzertest.PodUID,
			[]func(*analyzertest.Story){config(5, "ADD", "file"), afterNode}, finding.Yes},
	} {
		if got := static(t, c.uid, c.change...).Static.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhatTheKubeletDidWithTheManifest(t *testing.T) {
	type want struct{ removed, added, orphan, unread finding.YesNo }
	own := evidence.Subject{PodUID: analyzertest.OldStaticUID}
	bad := func(when float64, path string) func(*analyzertest.Story) {
		return told(when, evidence.Subject{}, evidence.ManifestRead{Path: path, Failed: true, Why: safetext.Clean("line 7")})
	}
	const own1, others = "/m/web-0.yaml", "/m/dns.yaml"
	here := func(s *analyzertest.Story) {
		s.Add("kubelet-dir", 60, byName, evidence.StaticManifest{Path: own1})
	}
	for name, c := range map[string]struct {
		change []func(*analyzertest.Story)
		want   want
	}{
		"nothing, and the log covers the time": {nil, want{removed: finding.No}},
		"taken from the files": {[]func(*analyzertest.Story){config(39.9, "REMOVE", "file")},
			want{removed: finding.Yes, added: finding.No}},
		"and another one added": {[]func(*analyzertest.Story){config(39.9, "REMOVE", "file"),
			config(39.9, "ADD", "file")}, want{removed: finding.Yes, added: finding.Yes}},
		"what went from the API was its mirror": {[]func(*analyzertest.Story){config(39.9, "REMOVE", "api")},
			want{removed: finding.No}},
		"taken away before the container was made": {[]func(*analyzertest.Story){config(5, "REMOVE", "file")},
			want{removed: finding.No}},
		"taken away long after the kill": {[]func(*analyzertest.Story){config(60, "REMOVE", "file")},
			want{removed: finding.No}},
		"found running and in no source": {
			[]func(*analyzertest.Story){told(39.9, own, evidence.PodTeardown{Reason: evidence.TeardownOrphan})},
			want{removed: finding.No, orphan: finding.Yes}},
		"an orphan of another time": {
			[]func(*analyzertest.Story){told(20, own, evidence.PodTeardown{Reason: evidence.TeardownOrphan})},
			want{removed: finding.No}},
		"its manifest could not be read": {[]func(*analyzertest.Story){here, bad(39, own1)},
			want{removed: finding.No, unread: finding.Yes}},
		"the directory could not be read": {[]func(*analyzertest.Story){here, bad(39, "/m")},
			want{removed: finding.No, unread: finding.Yes}},
		"another manifest could not be read": {[]func(*analyzertest.Story){here, bad(39, others)}, want{removed: finding.No}},
		"by the name of the file, another's": {[]func(*analyzertest.Story){bad(39, others)}, want{removed: finding.No}},
		"no manifest is known: a directory is all's": {[]func(*analyzertest.Story){bad(39, "/m")},
			want{removed: finding.No, unread: finding.Yes}},
		"by the name of the file, its own": {[]func(*analyzertest.Story){afterNode, bad(39, own1)},
			want{removed: finding.No, unread: finding.Yes}},
		"a broken copy beside it": {[]func(*analyzertest.Story){bad(39, own1+".bak")}, want{removed: finding.No}},
		"it could not be read minutes before": {[]func(*analyzertest.Story){here, bad(-100, own1)},
			want{removed: finding.No}},
	} {
		t.Run(name, func(t *testing.T) {
			s := static(t, analyzertest.OldStaticUID,
				append(c.change,
					told(10.5, evidence.Subject{Namespace: byName.Namespace, Pod: byName.Pod, PodUID: analyzertest.OldStaticUID},
						evidence.ContainerStarted{}))...).Static
			got := want{s.Removed.Answer, s.Added.Answer, s.Orphan.Answer, s.Unread.Answer}
			if got != c.want {
				t.Errorf("removed, added, orphan, unread: %v, want %v", got, c.want)
			}
		})
	}
}

// A name that was changed within a file comes as another pod, up to a list of all files before the old one goes.
func TestAPodThatComesOfTheFilesInsteadOfAnother(t *testing.T) {
	of := func(when float64, name, op string, others int) func(*analyzertest.Story) {
		return told(when, evidence.Subject{Namespace: byName.Namespace, Pod: name},
			evidence.PodConfig{Op: op, Origin: "file", Others: others})
	}
	for name, c := range map[string]struct {
		change []func(*analyzertest.Story)
		want   string
		third  bool
	}{
		"none": {},
		"as it goes, and a third one goes, too": {change: []func(*analyzertest.Story){of(39.91, "b", "ADD", 0),
			of(-90, "c", "ADD", 0), of(39.9, "c", "REMOVE", 0)}, want: "b", third: true},
		"as it goes":                   {change: []func(*analyzertest.Story){of(39.91, "b", "ADD", 0)}, want: "b"},
		"twenty seconds before":        {change: []func(*analyzertest.Story){of(20, "b", "ADD", 0)}, want: "b"},
		"long before":                  {change: []func(*analyzertest.Story){of(-90, "b", "ADD", 0)}, want: ""},
		"behind it":                    {change: []func(*analyzertest.Story){of(45, "b", "ADD", 0)}, want: ""},
		"among all that a start finds": {change: []func(*analyzertest.Story){of(20, "b", "ADD", 3)}, want: ""},
		"one that was there before, changed": {
			change: []func(*analyzertest.Story){of(20, "b", "REMOVE", 0), of(20, "b", "ADD", 0)}},
		"where the same one is added at once": {
			change: []func(*analyzertest.Story){of(20, "b", "ADD", 0), config(39.9, "ADD", "file")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := static(t, analyzertest.OldStaticUID, append(c.change, config(39.9, "REMOVE", "file"),
				told(10.5, evidence.Subject{Namespace: byName.Namespace, Pod: byName.Pod, PodUID: analyzertest.OldStaticUID},
					evidence.ContainerStarted{}))...).Static
			want := ""
			if c.want != "" {
				want = byName.Namespace + "/" + c.want
			}
			if s.Other != want || (s.Instead.Answer == finding.Yes) != (want != "") ||
				want != "" && s.OnlyOne == c.third {
				t.Errorf("%q (%v, only one: %t), want %q", s.Other, s.Instead, s.OnlyOne, want)
			}
		})
	}
}

func TestAPodOfTheFilesComesToItsEndThere(t *testing.T) {
	gone := static(t, analyzertest.OldStaticUID, config(39.9, "REMOVE", "file"), config(38, "DELETE", "api")).End
	if gone.Answer != finding.Yes || gone.How != evidence.EndRemoved || gone.Origin != "file" ||
		gone.Asked.Answer == finding.Yes {
		t.Errorf("taken from the files while its mirror was deleted: %+v", gone)
	}
	orphan := static(t, analyzertest.OldStaticUID,
		told(39.9, evidence.Subject{PodUID: analyzertest.OldStaticUID},
			evidence.PodTeardown{Reason: evidence.TeardownOrphan})).End
	if orphan.Answer != finding.Yes || orphan.How != evidence.EndRemoved || orphan.Origin != "file" {
		t.Errorf("an orphan: %+v", orphan)
	}
	if plain := static(t, analyzertest.PodUID, config(38, "DELETE", "api")).End; plain.How != evidence.EndDeleted {
		t.Errorf("an ordinary pod: %+v", plain)
	}
}

func TestWhichKubeletsMakeAnotherUID(t *testing.T) {
	type want struct {
		was     string
		changes int
		same    bool
	}
	for name, c := range map[string]struct {
		change []func(*analyzertest.Story)
		want   want
	}{
		"one process":                         {nil, want{same: true}},
		"another process of the same version": {[]func(*analyzertest.Story){kubelet(35, "v1.34.4")}, want{same: true}},
		"another patch":                       {[]func(*analyzertest.Story){kubelet(35, "v1.34.9")}, want{was: "v1.34.4"}},
		"another minor": {[]func(*analyzertest.Story){kubelet(35, "v1.35.4")},
			want{was: "v1.34.4", changes: 1}},
		"two minors on": {[]func(*analyzertest.Story){kubelet(35, "v1.36.3")},
			want{was: "v1.34.4", changes: 2}},
		"one minor back": {[]func(*analyzertest.Story){kubelet(35, "v1.33.13")},
			want{was: "v1.34.4", changes: 1}},
		"before the container was made": {[]func(*analyzertest.Story){kubelet(-100, "v1.35.4")}, want{same: true}},
		"after its end":                 {[]func(*analyzertest.Story){kubelet(100, "v1.35.4")}, want{same: true}},
		"two starts: what the container was made": {[]func(*analyzertest.Story){kubelet(20, "v1.35.4"),
			kubelet(35, "v1.35.4")}, want{was: "v1.34.4", changes: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := static(t, analyzertest.OldStaticUID, c.change...).Static
			if diff := cmp.Diff(c.want, want{s.Was, len(s.Recomputed), s.SameVersion}, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Kubelets of v1.8 to v1.13 log both hashes, in decimal.
func TestTheKubeletsOwnWordsGiveTheStoredHash(t *testing.T) {
	for message, want := range map[string][2]string{
		"Container spec hash changed (1559107639 vs 1428860573).. Container will be killed and recreated.": {
			"5cee1837", "552aae9d"},
		"Container a definition changed, will be restarted":        {"", ""},
		"Container spec hash changed (1559107639 vs 99999999999).": {"", ""},
		"Container spec hash changed (x vs 7).":                    {"", ""},
		"Container spec hash changed (7 vs 8":                      {"", ""},
	} {
		s := base().KubeletLog().Add(evidence.SourceKubeletLog, 40,
			evidence.Subject{PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID},
			evidence.KillDecided{Reason: evidence.KillDefinition, Message: safetext.Clean(message), Count: 1})
		h := find(t, s).Hashes
		if got := [2]string{h.Old, h.Expected}; got != want {
			t.Errorf("%q: stored and expected %v, want %v", message, got, want)
		}
		if want[0] != "" && len(h.Evidence) == 0 {
			t.Errorf("%q: no evidence", message)
		}
	}
}

func TestASpecWithOneFieldLessIsNoHashOfTheSpec(t *testing.T) {
	s := base().Records(10, 42.5, 137, "Error", 43, func(old, new *evidence.ContainerRecord) {
		old.Hash = "dddd"
	}).Spec(func(c *evidence.Container) {
		c.Hashes = []evidence.SpecHash{
			{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "dddd",
				Image: analyzertest.Image, Without: "resizePolicy"},
			{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: analyzertest.Image},
		}
	})
	f := find(t, s)
	if len(f.Hashes.OldMade) != 0 || len(f.Hashes.OldVaried) != 1 || f.Hashes.OldVaried[0].Without != "resizePolicy" {
		t.Errorf("made by %+v, varied %+v", f.Hashes.OldMade, f.Hashes.OldVaried)
	}
	if got := f.Expected(30); got != "aaaa" {
		t.Errorf("v1.30 expects %q, want the hash of the spec as it is", got)
	}
}

func TestAStaticPodThatCameBackUnderItsUIDEndsAnew(t *testing.T) {
	type end struct {
		How evidence.Ending
		At  time.Time
	}
	for name, c := range map[string]struct {
		change []func(*analyzertest.Story)
		want   end
	}{
		"what ended it before this container began ended another one": {
			[]func(*analyzertest.Story){config(-60, "REMOVE", "file"), config(5, "ADD", "file")}, end{}},
		"what ended it while this container ran": {[]func(*analyzertest.Story){config(39, "REMOVE", "file")},
			end{evidence.EndRemoved, at(39)}},
		"of two removals, the one in this container's life": {[]func(*analyzertest.Story){config(-60, "REMOVE", "file"),
			config(5, "ADD", "file"), config(39, "REMOVE", "file")}, end{evidence.EndRemoved, at(39)}},
		"what ended it after this container had ended": {[]func(*analyzertest.Story){config(60, "REMOVE", "file")}, end{}},
	} {
		f := static(t, analyzertest.OldStaticUID, c.change...)
		if got := (end{f.End.How, f.End.At}); got.How != c.want.How || !got.At.Equal(c.want.At) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if n := len(f.End.Evidence); n > 1 {
			t.Errorf("%s: %d observations of one end", name, n)
		}
	}
}

package history_test

import (
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const third = "9dd4e461268c8034f5c8564e155c67a6"

func TestWhichUIDsKubeletsCompute(t *testing.T) {
	for uid, want := range map[string]bool{
		analyzertest.OldStaticUID:               true,
		analyzertest.PodUID:                     false, // the API server's
		"":                                      false,
		"149603E6C03516362A8DA23F624DB945":      false, // md5 and fnv are printed in lower case
		analyzertest.OldStaticUID + "0":         false,
		"g49603e6c03516362a8da23f624db945":      false,
		"0b222463b4cd48ffb717ecaa167c7f9":       false,
		"00000000-0000-0000-0000-0000000000000": false,
	} {
		if got := timeline.ComputedUID(uid); got != want {
			t.Errorf("%q: %v, want %v", uid, got, want)
		}
	}
}

func of(uid, id string) evidence.Subject {
	s := named("a", id, "")
	s.PodUID = uid
	return s
}

// swapped is a static pod whose container ended under one UID at 40 s.
func swapped() *analyzertest.Story {
	s := analyzertest.New()
	s.Pod.UID, s.Pod.Mirror, s.Pod.ConfigHash, s.Pod.CreatedAt = "mirror", true, analyzertest.NewStaticUID, at(41)
	return s.Add(evidence.SourceCRI, 40, of(analyzertest.OldStaticUID, analyzertest.OldID), exited(0, 10, 40, 143))
}

func TestAStaticPodsDeathIsLinkedWithWhatTookItsPlace(t *testing.T) {
	type link struct{ uid, instance string }
	for name, c := range map[string]struct {
		story *analyzertest.Story
		want  link
	}{
		"the new one runs": {
			swapped().Add(evidence.SourceCRI, 42, of(analyzertest.NewStaticUID, analyzertest.NewID), running(0, 42)),
			link{analyzertest.NewStaticUID, "2"}},
		"only its mirror is there yet": {swapped(), link{analyzertest.NewStaticUID, ""}},
		"before v1.22 the new one started while the old one ended": {
			swapped().Add(evidence.SourceCRI, 20, of(analyzertest.NewStaticUID, analyzertest.NewID), running(0, 20)),
			link{analyzertest.NewStaticUID, "2"}},
		"of two that came after, the first": {
			swapped().Add(evidence.SourceCRI, 90, of(analyzertest.NewStaticUID, analyzertest.NewID),
				running(0, 90)).Add(evidence.SourceCRI, 60, of(third, "3333"), exited(0, 50, 60, 0)), link{third, "3"}},
		"what ran before it took nobody's place": {func() *analyzertest.Story {
			s := swapped().Add(evidence.SourceCRI, 8, of(third, "3333"), exited(0, 5, 8, 0))
			s.Pod.Mirror, s.Pod.ConfigHash = false, ""
			return s
		}(), link{}},
		"an ordinary pod's death has no successor here": {func() *analyzertest.Story {
			s := analyzertest.New().Add(evidence.SourceCRI, 40, named("a", analyzertest.OldID, ""), exited(0, 10, 40, 143))
			return s.Add(evidence.SourceCRI, 42, of(third, analyzertest.NewID), running(0, 42))
		}(), link{}},
	} {
		t.Run(name, func(t *testing.T) {
			tl := history.Build(c.story.Snapshot())
			i := slices.IndexFunc(tl.Restarts, func(r *timeline.Restart) bool { return r.From.ID == analyzertest.OldID })
			if i < 0 {
				t.Fatalf("the death is not there: %v", pairs(tl))
			}
			var got link
			if next := tl.Restarts[i].Successor; next != nil {
				got.uid = next.PodUID
				if next.Instance != nil {
					got.instance = short(next.Instance)
				}
			}
			if got != c.want {
				t.Errorf("successor %+v, want %+v", got, c.want)
			}
		})
	}
}

// The API forgets a static pod with its UID; only the event of the kill is left.
func TestAKillEventAloneTellsOfAStaticPodsDeath(t *testing.T) {
	kill := evidence.KillDecided{Reason: evidence.KillPod, Message: safetext.Clean("Stopping container a"), Count: 1}
	static := history.Build(func() *evidence.Snapshot {
		s := analyzertest.New()
		s.Pod.UID, s.Pod.Mirror, s.Pod.ConfigHash, s.Pod.CreatedAt = "mirror", true, analyzertest.NewStaticUID, at(41)
		return s.Add(evidence.SourceAPI, 40, of(analyzertest.OldStaticUID, ""), kill).Snapshot()
	}())
	if got := pairs(static); len(got) != 1 || got[0] != "?→" {
		t.Fatalf("got %v, want one death of an unknown instance", got)
	}
	r := static.Restarts[0]
	if r.Kind != timeline.KindDeath || len(r.From.Marks) != 1 || !r.End().Equal(at(41)) ||
		r.ContainerKind != evidence.KindApp {
		t.Errorf("kind %s, %d marks, end %v, %q", r.Kind, len(r.From.Marks), r.End(), r.ContainerKind)
	}
	plain := history.Build(analyzertest.New().Add(evidence.SourceAPI, 40, named("a", "", ""), kill).Snapshot())
	if got := pairs(plain); len(got) != 0 {
		t.Errorf("an ordinary pod: %v, want nothing: its container's state is in the API", got)
	}
}

// The removal of the old pod and the addition of the new one are logged at one moment and by name.
func TestAChangeOfTheFileIsGivenToBothPods(t *testing.T) {
	name := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName}
	s := swapped().Add(evidence.SourceCRI, 42, of(analyzertest.NewStaticUID, analyzertest.NewID), running(0, 42))
	for _, op := range []string{"REMOVE", "ADD"} {
		s.Add(evidence.SourceKubeletLog, 40.5, name, evidence.PodConfig{Op: op, Origin: "file"})
	}
	s.Add("kubelet-dir", 60, name, evidence.StaticManifest{Path: "/m/web.yaml"})
	tl := history.Build(s.Snapshot())
	got := map[string]string{}
	for _, m := range tl.Config(analyzertest.Namespace, analyzertest.PodName, at(40), at(40.5)) {
		got[m.Obs.Fact.(evidence.PodConfig).Op] = m.Obs.Subject.PodUID
	}
	if got["REMOVE"] != analyzertest.OldStaticUID || got["ADD"] != "mirror" {
		t.Errorf("given to %v", got)
	}
	of := slices.IndexFunc(tl.Restarts, func(r *timeline.Restart) bool { return r.PodUID == analyzertest.OldStaticUID })
	if of < 0 || len(tl.Restarts[of].Ends()) != 1 {
		t.Fatalf("restart %d of the old pod does not have its one end", of)
	}
	if late := tl.Config(analyzertest.Namespace, analyzertest.PodName, at(40.6), at(60)); len(late) != 0 {
		t.Errorf("%d changes after the last one", len(late))
	}
	if o := tl.Restarts[of].Origin(); !o.File || o.API || len(o.Evidence) != 1 {
		t.Errorf("the old pod comes from %+v, want a file", o)
	}
	if o := (&timeline.Restart{PodUID: "nobody's"}).Origin(); o.File || o.API {
		t.Errorf("a pod of which nothing is said comes from %+v", o)
	}
	if found := tl.Manifests(analyzertest.Namespace, analyzertest.PodName); len(found) != 1 {
		t.Errorf("%d manifests, want 1", len(found))
	}
}

// A kubelet kills what its files no longer contain, even if no line names the containers.
func TestAStaticPodThatItsFilesLostEnded(t *testing.T) {
	file := func(op string) evidence.PodConfig { return evidence.PodConfig{Op: op, Origin: "file"} }
	old, now := named("", "", ""), named("", "", "")
	old.PodUID, now.PodUID = analyzertest.OldStaticUID, analyzertest.NewStaticUID
	story := func() *analyzertest.Story {
		return analyzertest.New().Add(evidence.SourceKubeletLog, 10, old, file("ADD"))
	}
	for name, c := range map[string]struct {
		story     *analyzertest.Story
		ends      int
		successor string
	}{
		"it is still there":          {story(), 0, ""},
		"another kubelet took it in": {story().Add(evidence.SourceKubeletLog, 50, old, file("ADD")), 0, ""},
		"it was removed":             {story().Add(evidence.SourceKubeletLog, 50, old, file("REMOVE")), 1, ""},
		"it came under another UID":  {story().Add(evidence.SourceKubeletLog, 50, now, file("ADD")), 1, now.PodUID},
		"it was removed and replaced": {story().Add(evidence.SourceKubeletLog, 50, old, file("REMOVE")).
			Add(evidence.SourceKubeletLog, 50, now, file("ADD")), 1, now.PodUID},
		"its container's end is told": {story().
			Add(evidence.SourceCRI, 49, of(old.PodUID, analyzertest.OldID), exited(0, 10, 49, 143)).
			Add(evidence.SourceKubeletLog, 50, old, file("REMOVE")), 1, ""},
		"the API holds another of the name": {story().
			Add(evidence.SourceKubeletLog, 50, now, evidence.PodConfig{Op: "ADD", Origin: "api"}), 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tl := history.Build(c.story.Snapshot())
			if len(tl.Restarts) != c.ends {
				t.Fatalf("%d ends, want %d: %v", len(tl.Restarts), c.ends, pairs(tl))
			}
			uid := ""
			for _, r := range tl.Restarts {
				if r.PodUID != old.PodUID {
					t.Errorf("ended: %s", r.PodUID)
				}
				if r.Successor != nil {
					uid = r.Successor.PodUID
				}
			}
			if uid != c.successor {
				t.Errorf("in its place %q, want %q", uid, c.successor)
			}
		})
	}
}

// A kubelet that computes another UID finds the mirror outdated, and no sandbox of the pod that it takes for a new one.
func TestAStaticPodThatIsMadeAnewLostNoSandbox(t *testing.T) {
	const mirror = "5b222463-b4cd-48ff-b717-000000000001"
	about := func(uid string) evidence.Subject {
		return evidence.Subject{Namespace: "s", Pod: "etcd-n1", PodUID: uid}
	}
	for name, c := range map[string]struct {
		outdated float64 // when the mirror was, 0 for never
		judged   bool
		old      bool   // a container of the old one is known to have ended
		want     string // the UID of what ended as a whole
		next     string // and of what took its place
	}{
		"outdated":                          {outdated: 100, judged: true, want: mirror, next: analyzertest.NewStaticUID},
		"outdated, and its container known": {outdated: 100, judged: true, old: true},
		"the mirror is as the pod is":       {judged: true, want: analyzertest.NewStaticUID},
		"the mirror was long ago":           {outdated: -1000, judged: true, want: analyzertest.NewStaticUID},
		"someone deleted the mirror":        {outdated: 100},
	} {
		s := analyzertest.New().Add(evidence.SourceKubeletLog, 99, about(analyzertest.NewStaticUID),
			evidence.PodConfig{Op: "ADD", Origin: "file", Others: 1})
		if c.outdated != 0 {
			s.Add(evidence.SourceKubeletLog, c.outdated, about(mirror), evidence.MirrorPod{Change: evidence.MirrorOutdated})
		}
		if c.judged {
			s.Add(evidence.SourceKubeletLog, 102, about(analyzertest.NewStaticUID),
				evidence.SandboxJudged{Reason: evidence.SandboxNone})
		}
		if c.old {
			of := about(analyzertest.OldStaticUID)
			of.Container, of.ContainerID = "etcd", analyzertest.OldID
			s.Add(evidence.SourceCRI, 101, of, exited(0, 10, 101, 0))
		}
		got, next := "", ""
		for _, r := range history.Build(s.Snapshot()).Restarts {
			if r.PodName == "etcd-n1" && r.Container == "" {
				got = r.PodUID
				if r.Successor != nil {
					next = r.Successor.PodUID
				}
			}
		}
		if got != c.want || next != c.next {
			t.Errorf("%s: %q ended, then came %q; want %q, %q", name, got, next, c.want, c.next)
		}
	}
}

// A manifest may set the UID. Then it looks like the API server's, and the lines about the files have only the name.
func TestAManifestThatSetsTheUIDIsFollowed(t *testing.T) {
	const (
		was    = "18c976af-0000-4000-8000-000000000001"
		is     = "a69fc044-0000-4000-8000-000000000002"
		mirror = "ce1487ed-0000-4000-8000-000000000003"
	)
	about := func(uid, container, id string) evidence.Subject {
		return evidence.Subject{Namespace: "s", Pod: "etcd-n1", PodUID: uid, Container: container, ContainerID: id}
	}
	byName := about("", "", "")
	file := func(op string) evidence.PodConfig { return evidence.PodConfig{Op: op, Origin: "file", Others: 1} }
	story := func() *analyzertest.Story {
		return analyzertest.New().
			Add(evidence.SourceKubeletLog, 10, byName, file("ADD")).
			Add(evidence.SourceKubeletLog, 11, about(was, "", analyzertest.OldID), evidence.ContainerStarted{}).
			Add(evidence.SourceKubeletLog, 100, byName, file("REMOVE")).
			Add(evidence.SourceKubeletLog, 100.0002, about(was, "etcd", analyzertest.OldID),
				evidence.KillStarted{GraceSeconds: 30}).
			Add(evidence.SourceKubeletLog, 100.0004, byName, file("ADD")).
			Add(evidence.SourceKubeletLog, 100.02, about(mirror, "", ""), evidence.MirrorPod{Change: evidence.MirrorDeleted}).
			Add(evidence.SourceKubeletLog, 101, about(was, "", analyzertest.OldID), evidence.ContainerDied{})
	}
	next := func(at float64) *analyzertest.Story {
		return story().Add(evidence.SourceKubeletLog, at, about(is, "etcd", analyzertest.NewID), evidence.ContainerStarted{})
	}
	for name, c := range map[string]struct {
		story   *analyzertest.Story
		ends    int
		gone    string // the UID of what left the files
		next    string // and of what took its place
		comesAs string
	}{
		"the next one starts at once":            {next(100.9), 1, was, is, is},
		"it starts when the old one has stopped": {next(170), 1, was, is, is},
		"nothing of the next one is seen":        {story(), 1, was, "", was},
	} {
		t.Run(name, func(t *testing.T) {
			tl := history.Build(c.story.Snapshot())
			if len(tl.Restarts) != c.ends {
				t.Errorf("%d ends, want %d: %v", len(tl.Restarts), c.ends, pairs(tl))
			}
			for _, r := range tl.Restarts {
				if next := r.Successor; r.PodUID != was || (next == nil) != (c.next == "") || next != nil && next.PodUID != c.next {
					t.Errorf("%s ended, then %+v; want %s, %q", r.PodUID, next, was, c.next)
				}
			}
			for _, m := range tl.Config("s", "etcd-n1", at(99), at(101)) {
				want := c.comesAs
				if m.Obs.Fact.(evidence.PodConfig).Op == "REMOVE" {
					want = c.gone
				}
				if m.Obs.Subject.PodUID != want {
					t.Errorf("%v is about %q, want %q", m.Obs.Fact, m.Obs.Subject.PodUID, want)
				}
			}
		})
	}
}

// The init containers of a static pod whose UID the API no longer has are known by those of its present one.
func TestAnInitContainerOfAFormerStaticPodCompleted(t *testing.T) {
	story := func(init int32) *analyzertest.Story {
		s := swapped()
		s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "setup", Kind: evidence.KindInit})
		setup := of(analyzertest.OldStaticUID, "4444")
		setup.Container = "setup"
		return s.Add(evidence.SourceCRI, 9, setup, exited(0, 8, 9, init))
	}
	for code, want := range map[int32]int{0: 1, 1: 2} {
		if got := pairs(history.Build(story(code).Snapshot())); len(got) != want {
			t.Errorf("init container with code %d: %v, want %d ends", code, got, want)
		}
	}
}

// What has no code may have failed: sidecars and earlier init containers started although it did.
func TestAnInitContainerOfAFormerStaticPodEndedWithoutACode(t *testing.T) {
	for name, c := range map[string]struct {
		kind    evidence.ContainerKind
		started float64
		ends    int
	}{
		"an app container started after it":        {evidence.KindApp, 9.5, 0},
		"an app container started as it ended":     {evidence.KindApp, 9, 0},
		"an app container had started before it":   {evidence.KindApp, 8, 1},
		"a sidecar had started before it":          {evidence.KindSidecar, 8, 1},
		"a sidecar started after it":               {evidence.KindSidecar, 9.5, 1},
		"an init container had started before it":  {evidence.KindInit, 8, 1},
		"an unknown container started after it":    {"", 9.5, 1},
		"nothing else of the pod was ever started": {evidence.KindApp, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New()
			s.Pod.UID, s.Pod.Mirror, s.Pod.ConfigHash, s.Pod.CreatedAt = "mirror", true, analyzertest.NewStaticUID, at(41)
			s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "setup", Kind: evidence.KindInit})
			if c.kind != "" {
				s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "other", Kind: c.kind})
			}
			add := func(container, id string, r evidence.ContainerRecord) {
				of := of(analyzertest.OldStaticUID, id)
				of.Container = container
				s.Add(evidence.SourceCRI, 40, of, r)
			}
			setup := exited(0, 5, 9, 0)
			setup.ExitCode = nil
			add("setup", "4444", setup)
			other := running(0, c.started)
			if c.started == 0 {
				other.Started = time.Time{}
			}
			add("other", "5555", other)
			if got := pairs(history.Build(s.Snapshot())); len(got) != c.ends {
				t.Errorf("%v, want %d ends", got, c.ends)
			}
		})
	}
}

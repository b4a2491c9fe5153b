package evidence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func died(at time.Time, id string) Observation {
	return Observation{
		Time: at, Fact: ContainerDied{}, Subject: Subject{Node: "n1", ContainerID: id},
		Source: Source{Kind: SourceKubeletLog, Node: "n1", Where: "nodes/n1/kubelet.export"},
		Text:   safetext.Clean("ContainerDied " + id),
	}
}

func TestSettingsOfOneLineAreKeptApart(t *testing.T) {
	b := NewBuilder(time.Time{})
	for range 2 { // the same line, read twice
		for _, name := range []string{SettingCgroupDriver, SettingCgroupRoot} {
			b.Observe(Observation{Time: time.Unix(1, 0), Subject: Subject{Node: "n1"},
				Source: Source{Kind: SourceKubeletLog, Node: "n1"}, Fact: KubeletSetting{Name: name, Value: safetext.Clean("x")},
				Text: safetext.Clean("one line")})
		}
	}
	if s := b.Build(); len(s.Observations) != 2 || s.Observations[0].ID == s.Observations[1].ID {
		t.Errorf("%d observations, want one for each setting: %+v", len(s.Observations), s.Observations)
	}
}

func TestBuildSortsAndGivesStableIDs(t *testing.T) {
	a, c := died(t0, "aa"), died(t0.Add(time.Second), "cc")
	build := func(obs ...Observation) *Snapshot {
		b := NewBuilder(t0)
		for _, o := range obs {
			b.Observe(o)
		}
		return b.Build()
	}
	one, two := build(a, c), build(c, a)
	for i := range one.Observations {
		if one.Observations[i].ID != two.Observations[i].ID || one.Observations[i].ID == "" {
			t.Errorf("observation %d: ids %q and %q depend on the order of collection",
				i, one.Observations[i].ID, two.Observations[i].ID)
		}
	}
	if one.Observations[0].Subject.ContainerID != "aa" {
		t.Errorf("not sorted by time: %+v", one.Observations)
	}
}

func TestTheSameLineInTwoFilesCountsOnce(t *testing.T) {
	a, again := died(t0, "aa"), died(t0, "aa")
	again.Source.Where = "nodes/n1/other.log"
	b := NewBuilder(t0)
	b.Observe(a)
	b.Observe(again)
	if got := b.Build().Observations; len(got) != 1 {
		t.Errorf("%d observations of one line", len(got))
	}
}

func TestDifferentObservationsNeverShareAnID(t *testing.T) {
	obs := []Observation{{ID: "e1"}, {ID: "e1"}, {ID: "e2"}, {ID: "e1"}}
	distinguish(obs)
	seen := map[string]bool{}
	for _, o := range obs {
		if seen[o.ID] {
			t.Errorf("id %s given twice", o.ID)
		}
		seen[o.ID] = true
	}
}

func TestSubjectsAndGapsAreMadeSafe(t *testing.T) {
	o := died(t0, "a\x1b[31m")
	o.Subject.Pod = "p\u202e"
	b := NewBuilder(t0)
	b.Observe(o)
	b.Gap(Gap{Source: SourceAPI, Why: "denied\x1b[2J"})
	b.Gap(Gap{Source: SourceAPI, Why: "denied\x1b[2J"})
	s := b.Build()
	for _, text := range []string{s.Observations[0].Subject.ContainerID, s.Observations[0].Subject.Pod, s.Gaps[0].Why} {
		if !safetext.Safe(text) {
			t.Errorf("unsafe text got in: %q", text)
		}
	}
	if len(s.Gaps) != 1 {
		t.Errorf("the same gap is listed %d times", len(s.Gaps))
	}
}

func TestNodesComeTogetherFromSeveralSources(t *testing.T) {
	b := NewBuilder(t0)
	b.Node(Node{Name: "n1", KubeletVersion: "v1.36.3"})
	b.Node(Node{Name: "n1", KubeletVersion: "v1.30.14", BootID: "b1", CreatedAt: t0})
	b.Node(Node{})
	s := b.Build()
	if len(s.Nodes) != 1 || s.Nodes[0].KubeletVersion != "v1.36.3" || s.Nodes[0].BootID != "b1" ||
		!s.Nodes[0].CreatedAt.Equal(t0) || s.Nodes[0].Twice {
		t.Errorf("nodes = %+v", s.Nodes)
	}
}

func TestObjectsOfTwoMachinesWithOneName(t *testing.T) {
	for name, c := range map[string]struct {
		second Node
		twice  bool
	}{
		"the same again":             {Node{Machine: "m1", CreatedAt: t0}, false},
		"a log alone":                {Node{}, false},
		"registered again":           {Node{Machine: "m1", CreatedAt: t0.Add(1)}, false},
		"another machine":            {Node{Machine: "m2", CreatedAt: t0}, true},
		"another one without its id": {Node{CreatedAt: t0.Add(1)}, true},
	} {
		b := NewBuilder(t0)
		c.second.Name = "n1"
		b.Node(Node{Name: "n1", Machine: "m1", CreatedAt: t0})
		b.Node(c.second)
		if got := b.Build().Nodes[0].Twice; got != c.twice {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Rules read the hashes of the spec; what was merely searched near it stands apart.
func TestSearchedHashesStandApart(t *testing.T) {
	b := NewBuilder(t0)
	b.Pod(Pod{UID: "u1", Containers: []Container{{Name: "a"}}})
	if !b.Hashes("u1", "a", []SpecHash{{Hex: "1"}, {Hex: "2", Without: "env", Searched: true},
		{Hex: "3", With: "resizePolicy"}}) {
		t.Fatal("the container is there")
	}
	c := b.Build().Pods[0].Containers[0]
	if len(c.Hashes) != 2 || c.Hashes[0].Hex != "1" || c.Hashes[1].Hex != "3" ||
		len(c.Searched) != 1 || c.Searched[0].Hex != "2" {
		t.Errorf("%+v", c)
	}
}

func TestHashesNeedTheirContainer(t *testing.T) {
	b := NewBuilder(t0)
	b.Pod(Pod{UID: "u1", Name: "old", Containers: []Container{{Name: "a"}}})
	b.Pod(Pod{UID: "u1", Name: "p", Containers: []Container{{Name: "a"}}})
	h := []SpecHash{{FromMinor: 31, ToMinor: 36, Hex: "8e45cbd0"}}
	if !b.Hashes("u1", "a", h) || b.Hashes("u1", "b", h) || b.Hashes("u2", "a", h) {
		t.Error("hashes were attached to the wrong container, or not to the right one")
	}
	s := b.Build()
	if len(s.Pods) != 1 || s.Pods[0].Name != "p" || s.Pods[0].Containers[0].Hashes[0].Hex != "8e45cbd0" {
		t.Errorf("pods = %+v", s.Pods)
	}
}

func TestCoverageHoldsOnlyInside(t *testing.T) {
	c := Coverage{From: t0, Until: t0.Add(time.Hour)}
	base := [2]time.Time{t0.Add(time.Minute), t0.Add(2 * time.Minute)}
	if !c.Covers(base[0], base[1]) {
		t.Error("an inner window is not covered")
	}
	if c.Covers(t0.Add(-time.Second), base[1]) || c.Covers(base[0], t0.Add(2*time.Hour)) ||
		(Coverage{}).Covers(base[0], base[1]) {
		t.Error("a window that sticks out is covered")
	}
}

func TestAMirrorPodIsKnownToTheRuntimeByItsConfigHash(t *testing.T) {
	p := Pod{UID: "api", Mirror: true, ConfigHash: "cfg"}
	if p.RuntimeUID() != "cfg" {
		t.Error("mirror pod: want the static pod's UID")
	}
	p.Mirror = false
	if p.RuntimeUID() != "api" {
		t.Error("ordinary pod: want its own UID")
	}
}

func TestBytesCanBeReadAgainAndAgain(t *testing.T) {
	f := Bytes("cluster/pods.json", []byte("{}"))
	for range 2 {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var sb strings.Builder
		buf := make([]byte, 8)
		n, _ := r.Read(buf)
		sb.Write(buf[:n])
		if sb.String() != "{}" || f.Size != 2 {
			t.Errorf("read %q of size %d", sb.String(), f.Size)
		}
	}
}

// A large piece is observed in parts: joined in order they are what one builder makes.
func TestJoinedPartsAreTheWhole(t *testing.T) {
	observe := func(b *Builder, from, to int) {
		for i := from; i < to; i++ {
			uid := string(rune('a' + i%26))
			b.Observe(died(t0.Add(time.Duration(i%7)*time.Second), "c"+uid))
			b.Pod(Pod{UID: uid, Name: "web", Containers: []Container{{Name: "app"}}, Phase: string(rune('A' + i%50))})
			b.Hashes(uid, "app", []SpecHash{{Hex: uid}})
			b.Gap(Gap{Why: "gap " + uid})
			b.Cover(Coverage{Source: SourceAPI, From: t0.Add(time.Duration(i) * time.Second)})
			b.Node(Node{Name: "n" + uid})
		}
	}
	whole, joined := NewBuilder(t0), NewBuilder(t0)
	observe(whole, 0, 200)
	for _, part := range [][2]int{{0, 60}, {60, 61}, {61, 200}} {
		b := NewBuilder(t0)
		observe(b, part[0], part[1])
		joined.Join(b)
	}
	if d := cmp.Diff(whole.Build(), joined.Build(), cmp.AllowUnexported(safetext.Text{})); d != "" {
		t.Errorf("joined parts (-whole +joined):\n%s", d)
	}
}

// The texts of many objects are most of what is kept of them.
func TestTextsOfManyObjectsArePacked(t *testing.T) {
	text := func(i int) string { return fmt.Sprintf("state: running since %d", i) }
	b, part := NewBuilder(t0), NewBuilder(t0)
	for i := range few + 2*batch {
		o := died(t0.Add(time.Duration(i)*time.Second), "c")
		o.Source, o.Text = Source{Kind: SourceAPI, Where: "pod shop/web"}, safetext.Clean(text(i))
		if part.Observe(o); i%1000 == 999 {
			b.Join(part)
		}
	}
	b.Join(part)
	for i, o := range b.Build().Observations {
		if o.Text.String() != text(i) {
			t.Fatalf("text %d became %q", i, o.Text)
		}
		if plain := o.Text == safetext.Clean(text(i)); plain != (i < few) {
			t.Fatalf("text %d: plain %t", i, plain)
		}
	}
}

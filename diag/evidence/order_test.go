package evidence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// crowd is a collection with much that is equal in part: the same moment, the
// same subject, the same line from two places.
func crowd() []Observation {
	var all []Observation
	for i := range 60 {
		o := died(t0.Add(time.Duration(i%7)*time.Second), fmt.Sprintf("c%d", i%5))
		o.Source.Where = fmt.Sprintf("file %d", i%2)
		switch i % 4 {
		case 1:
			o.Fact = ContainerStarted{}
		case 2:
			o.Time = time.Time{}
		case 3:
			o.Text = safetext.Clean(fmt.Sprintf("line %d", i%3))
		}
		all = append(all, o)
	}
	return all
}

// The same evidence, in whatever order the sources answered, is the same
// snapshot: ids are quoted in reports and kept in tickets.
func TestTheOrderOfCollectionLeavesNoTrace(t *testing.T) {
	obs := crowd()
	nodes := []Node{{Name: "n2"}, {Name: "n1"}, {Name: "n3"}}
	pods := []Pod{{Namespace: "b", Name: "p", UID: "1"}, {Namespace: "a", Name: "q", UID: "2"},
		{Namespace: "a", Name: "q", UID: "3"}}
	gaps := []Gap{{Source: SourceCRI, Node: "n1", Why: "x"}, {Source: SourceAPI, Why: "y"}, {Source: SourceAPI, Why: "x"}}
	cover := []Coverage{{Source: SourceKubeletLog, Node: "n1", From: t0},
		{Source: SourceKubeletLog, Node: "n1", From: t0, Until: t0.Add(1)}, {Source: SourceAPI}}
	type view struct {
		IDs, Texts []string
		Nodes      []Node
		Pods       []Pod
		Gaps       []Gap
		Coverage   []Coverage
	}
	build := func() view {
		b := NewBuilder(t0)
		for _, o := range obs {
			b.Observe(o)
		}
		for i := range nodes {
			b.Node(nodes[i])
			b.Pod(pods[i])
			b.Gap(gaps[i])
			b.Cover(cover[i])
		}
		s := b.Build()
		v := view{Nodes: s.Nodes, Pods: s.Pods, Gaps: s.Gaps, Coverage: s.Coverage}
		for _, o := range s.Observations {
			v.IDs, v.Texts = append(v.IDs, o.ID), append(v.Texts, o.Time.String()+
				o.Text.String()+o.Subject.ContainerID+o.Fact.Statement())
		}
		return v
	}
	want := build()
	byText := cmp.Comparer(func(a, b safetext.Text) bool { return a.String() == b.String() })
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		r.Shuffle(len(obs), func(i, j int) { obs[i], obs[j] = obs[j], obs[i] })
		r.Shuffle(3, func(i, j int) {
			nodes[i], nodes[j], pods[i], pods[j] = nodes[j], nodes[i], pods[j], pods[i]
			gaps[i], gaps[j], cover[i], cover[j] = gaps[j], gaps[i], cover[j], cover[i]
		})
		if diff := cmp.Diff(want, build(), byText); diff != "" {
			t.Fatal(diff)
		}
	}
	if n := len(want.IDs); n == len(crowd()) || n < 20 {
		t.Errorf("%d observations of %d are left: equal ones count once, others do not", n, len(crowd()))
	}
	if ids := slices.Clone(want.IDs); len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
		t.Error("an id was given twice")
	}
}

// What makes an observation itself is in its id, each part for itself.
func TestEveryPartOfAnObservationMakesItAnother(t *testing.T) {
	base := died(t0, "c1")
	base.Subject = Subject{Node: "n1", Namespace: "ns", Pod: "p", PodUID: "u",
		Container: "a", ContainerID: "c1", SandboxID: "s"}
	for name, mutate := range map[string]func(*Observation){
		"fact":         func(o *Observation) { o.Fact = ContainerStarted{} },
		"time":         func(o *Observation) { o.Time = o.Time.Add(1) },
		"text":         func(o *Observation) { o.Text = safetext.Clean("other") },
		"source":       func(o *Observation) { o.Source.Kind = SourceRuntimeLog },
		"source node":  func(o *Observation) { o.Source.Node = "n2" },
		"node":         func(o *Observation) { o.Subject.Node = "n2" },
		"namespace":    func(o *Observation) { o.Subject.Namespace = "x" },
		"pod":          func(o *Observation) { o.Subject.Pod = "x" },
		"uid":          func(o *Observation) { o.Subject.PodUID = "x" },
		"container":    func(o *Observation) { o.Subject.Container = "x" },
		"container id": func(o *Observation) { o.Subject.ContainerID = "x" },
		"sandbox id":   func(o *Observation) { o.Subject.SandboxID = "x" },
		"a field that slips into the next": func(o *Observation) {
			o.Subject.Namespace, o.Subject.Pod = "nsp", ""
		},
	} {
		other := base
		mutate(&other)
		if identified(base) == identified(other) {
			t.Errorf("%s: another observation has the same id", name)
		}
	}
	elsewhere := base
	elsewhere.Source.Where = "another file"
	elsewhere.Time = base.Time.In(time.FixedZone("CET", 3600))
	if identified(base) != identified(elsewhere) {
		t.Error("the same line in another file, or at the same moment in another zone, is another observation")
	}
}

// Every fact has a name of its own: reports and filters rely on it.
func TestEveryFactHasItsOwnName(t *testing.T) {
	facts := []Fact{
		KillDecided{}, KillStarted{}, ContainerStarted{}, ContainerDied{}, ContainerFinished{},
		ProbeFailed{}, HookFailed{}, BackedOff{}, SandboxJudged{},
		SandboxChanged{}, KubeletStarted{}, PodConfig{}, MissingActuatedRecord{},
		PodRejected{}, PodEvicted{}, ImageSeen{}, APIEvent{}, NodeRebooted{}, SystemOOM{}, HostOOMKills{}, ProbeTotals{},
		ContainerRecord{}, SandboxRecord{}, RestartCount{}, RuntimeStarted{},
		RuntimeCreated{}, SandboxCreated{}, StopRequested{}, SandboxStopRequested{},
		TaskExited{}, TaskOOM{}, OOMKill{}, Segfault{}, KernelBooted{}, UnitChanged{},
		UnitState{}, CgroupState{}, PodDeleted{},
	}
	seen := map[string]Fact{}
	for _, f := range facts {
		name := f.Statement()
		source, what, ok := strings.Cut(name, ".")
		if other := seen[name]; other != nil || !ok || source == "" || what == "" || strings.ToLower(name) != name {
			t.Errorf("%T is called %q, as %T", f, name, other)
		}
		seen[name] = f
	}
}

func TestAGapIsSafeInEveryField(t *testing.T) {
	b := NewBuilder(t0)
	evil := "x\x1b[2J\u202e"
	b.Gap(Gap{Source: SourceKind(evil), Node: evil, Why: evil, Hint: evil})
	g := b.Build().Gaps[0]
	for _, s := range []string{string(g.Source), g.Node, g.Why, g.Hint} {
		if !safetext.Safe(s) || s == "" {
			t.Errorf("%q", s)
		}
	}
}

func identified(o Observation) string {
	h, _ := identify(&o, nil)
	return string(appendID(nil, h))
}

// Ids are kept in bundles' reports and in people's notes: they may not change.
func TestIdsAreWhatTheyWere(t *testing.T) {
	o := Observation{
		Time:    time.Date(2026, 11, 21, 7, 11, 58, 0, time.UTC),
		Subject: Subject{Node: "n1", Namespace: "shop", Pod: "web-0", Container: "a"},
		Source:  Source{Kind: SourceKubeletLog, Node: "n1", Where: "a file"}, Text: safetext.Clean("Killing container"),
	}
	for want, f := range map[string]Fact{"eb16594cc": KillStarted{GraceSeconds: 30},
		"e5672a32b": KubeletSetting{Name: "cgroupDriver"}, "ed424cda8": KubeletSetting{Name: "cgroupRoot"}} {
		o.Fact = f
		if got := identified(o); got != want {
			t.Errorf("%s: %s, want %s", f.Statement(), got, want)
		}
	}
}

// What is sorted by keys is in the order that a stable sort of the whole gives.
func TestObservationsAreInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var obs []Observation
	for n := range 2000 {
		o := Observation{ID: fmt.Sprintf("e%d", rng.IntN(40)), Source: Source{Where: fmt.Sprint(n)}}
		if rng.IntN(5) > 0 {
			o.Time = time.Unix(int64(rng.IntN(20)), int64(rng.IntN(2)))
		}
		obs = append(obs, o)
	}
	want := slices.Clone(obs)
	slices.SortStableFunc(want, func(x, y Observation) int {
		if c := x.Time.Compare(y.Time); c != 0 {
			return c
		}
		return strings.Compare(x.ID, y.ID)
	})
	order(obs)
	for i, o := range obs {
		if o.Source.Where != want[i].Source.Where {
			t.Fatalf("place %d: observation %s, want %s", i, o.Source.Where, want[i].Source.Where)
		}
	}
}

package analyzer

import (
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// mentioning is a snapshot whose texts mention a pod that ended.
func mentioning(namespace, name string, own ...evidence.Pod) *evidence.Snapshot {
	code := int32(137)
	uid := evidence.Mentioned + namespace + "/" + name
	return &evidence.Snapshot{Pods: own, Mentioned: &evidence.Snapshot{
		Pods: []evidence.Pod{{UID: uid, Namespace: namespace, Name: name,
			Containers: []evidence.Container{{Name: evidence.Unnamed, Kind: evidence.KindApp}}}},
		Observations: []evidence.Observation{{ID: "m1",
			Subject: evidence.Subject{PodUID: uid, Namespace: namespace, Pod: name,
				Container: evidence.Unnamed}, Source: evidence.Source{Kind: evidence.SourceAPI},
			Fact: evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateExited, Attempt: -1, Last: true,
				ExitCode: &code,
				Reason:   "OOMKilled", RestartCount: -1}}},
	}}
}

// Text counts for pods that are known from nothing else, and only for those.
func TestMentionsCountWhereNothingElseTells(t *testing.T) {
	items := func(s *evidence.Snapshot) int { return len(build(s).Restarts) }
	if n := items(mentioning("shop", "cart-0")); n != 1 {
		t.Errorf("%d items of a pod that is only mentioned", n)
	}
	healthy := evidence.Pod{UID: "u1", Namespace: "shop", Name: "cart-0", Phase: "Running"}
	if n := items(mentioning("shop", "cart-0", healthy)); n != 0 {
		t.Errorf("%d items of a pod that the API tells of", n)
	}
	if n := items(mentioning("default", evidence.Unnamed, healthy)); n != 0 {
		t.Errorf("%d items of a pod without a name beside those of the API", n)
	}
	if n := items(&evidence.Snapshot{}); n != 0 {
		t.Errorf("%d items of nothing", n)
	}
}

// Who tells of a pod beside the row of its sandbox in a table says what the row does not.
func TestMentionsCountBesideTheRowOfASandbox(t *testing.T) {
	s := mentioning("shop", "cart-0")
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	s.Observations = []evidence.Observation{{ID: "b1", Time: at,
		Subject: evidence.Subject{Namespace: "shop", Pod: "cart-0", SandboxID: "3fa1b2c3d4e5f"},
		Source:  evidence.Source{Kind: evidence.SourceCRI, Node: "n1"},
		Fact:    evidence.SandboxRecord{Attempt: 1, Ready: true, Coarse: true, Created: at}}}
	all := build(s).Restarts
	if len(all) != 1 || all[0].From.Reason != "OOMKilled" {
		t.Errorf("%d items: %+v", len(all), all)
	}
	s.Mentioned = nil
	items := Analyze(s, Options{}).Items
	if len(items) != 1 || !slices.ContainsFunc(items[0].Verdict.Chain, func(l report.Link) bool {
		return slices.Equal(l.Evidence, []string{"b1"})
	}) {
		t.Errorf("the row alone: %+v", items)
	}
}

// Two pods of one name are told apart by their namespaces, where a text has one.
func TestWhatTextsSayBesideEndsIsOfOnePod(t *testing.T) {
	for _, c := range []struct{ namespace, pod, of string }{
		{"shop", "cart-0", "shop"}, {"", "cart-0", "default"}, {"shop", evidence.Unnamed, "default"},
	} {
		s := mentioning(c.namespace, c.pod)
		want := timeline.PodName{Namespace: c.of, Pod: c.pod}
		if got := saidBeside(s, true); len(got) != 1 || got[want] == "" {
			t.Errorf("%s/%s: %v", c.namespace, c.pod, got)
		}
	}
}

// An end without a name gets the only name in all texts.
func TestEndsWithoutANameGetTheOnlyOne(t *testing.T) {
	end := func(uid, namespace, pod, container string) *timeline.Restart {
		return &timeline.Restart{PodUID: uid, Namespace: namespace, PodName: pod, Container: container,
			From: &timeline.Instance{}}
	}
	meant := &evidence.Pod{Namespace: "shop", Name: "cart-0", Containers: []evidence.Container{{Name: "app"}}}
	none := evidence.Unnamed
	for name, c := range map[string]struct {
		meant *evidence.Pod
		ends  []*timeline.Restart
		want  string // of the last end
	}{
		"all of it":             {meant, []*timeline.Restart{end("", "default", none, none)}, "shop/cart-0/app"},
		"the container is told": {meant, []*timeline.Restart{end("", "default", none, "web")}, "shop/cart-0/web"},
		"the namespace is told": {meant, []*timeline.Restart{end("", "other", "cart-0", none)}, "other/cart-0/app"},
		"another pod":           {meant, []*timeline.Restart{end("", "default", "web-0", none)}, "default/web-0/?"},
		"a pod with a UID of its": {meant, []*timeline.Restart{end("u1", "default", "cart-0", "app")},
			"default/cart-0/app"},
		"nothing is meant": {nil, []*timeline.Restart{end("", "default", none, none)}, "default/?/?"},
		"two ends of two pods": {meant, []*timeline.Restart{end("a", "default", none, none), end("b", "default", none,
			none)},
			"default/?/?"},
		"its end is told already": {meant, []*timeline.Restart{end("a", "shop", "cart-0", "app"), end("", "default",
			none, none)},
			"shop/?/?"},
	} {
		nameUnnamed(c.meant, &timeline.History{Restarts: c.ends, Snapshot: &evidence.Snapshot{}})
		r := c.ends[len(c.ends)-1]
		if got := r.Namespace + "/" + r.PodName + "/" + r.Container; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The only end that a kernel's log has, by ids alone, gets the only names in all texts.
func TestAKillThatTheKernelKnowsByIDsGetsTheOnlyNames(t *testing.T) {
	const uid, short = "951f6bc5-c5a5-11ea-8707-80e455f266a2", "024952d653ef"
	kill := func(uid, pod, container string) *timeline.Restart {
		return &timeline.Restart{PodUID: uid, PodName: pod, Container: container,
			From: &timeline.Instance{ID: short + "1cf852f875a61bd27cf45cb1fd6cab3659ca7e5f12f037d99aa9"}}
	}
	app, one := []evidence.Container{{Name: "app"}}, kill(uid, uid, short)
	for name, c := range map[string]struct {
		meant evidence.Pod
		ends  []*timeline.Restart
		want  string // of the last end
	}{
		"both": {evidence.Pod{Name: "cart-0", Containers: app}, []*timeline.Restart{one}, "default/cart-0/app"},
		"the namespace": {evidence.Pod{Namespace: "shop", Name: "cart-0"},
			[]*timeline.Restart{kill(uid, uid, short)}, "shop/cart-0/" + short},
		"the container": {evidence.Pod{Name: evidence.Unnamed, Containers: app},
			[]*timeline.Restart{kill(uid, uid, short)}, "/" + uid + "/app"},
		"of two kills": {evidence.Pod{Name: "cart-0"},
			[]*timeline.Restart{kill("u", "u", short), kill(uid, uid, short)}, "/" + uid + "/" + short},
		"a name is told": {evidence.Pod{Name: "cart-0"},
			[]*timeline.Restart{kill(uid, "web-0", short)}, "/web-0/" + short},
		"both are told": {evidence.Pod{Name: "cart-0", Containers: app},
			[]*timeline.Restart{kill(uid, uid, "web")}, "/" + uid + "/web"},
	} {
		nameKilled(&c.meant, &timeline.History{Restarts: c.ends})
		r := c.ends[len(c.ends)-1]
		if got := r.Namespace + "/" + r.PodName + "/" + r.Container; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// ContainerCreating is the state of every new pod, and a reason to ask where a person says that it is not left.
func TestAPodThatIsSaidToStayInContainerCreatingIsRefused(t *testing.T) {
	creating := func(uid string) *evidence.Snapshot {
		return &evidence.Snapshot{
			Pods: []evidence.Pod{{UID: uid, Namespace: "shop", Name: "cart-0",
				Containers: []evidence.Container{{Name: "app", Kind: evidence.KindApp}}}},
			Observations: []evidence.Observation{{ID: "m1", Source: evidence.Source{Kind: evidence.SourceAPI},
				Subject: evidence.Subject{PodUID: uid, Namespace: "shop", Pod: "cart-0", Container: "app"},
				Fact: evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting, Attempt: -1,
					Reason: "ContainerCreating", RestartCount: -1}}},
		}
	}
	all := build(creating(evidence.Mentioned + "shop/cart-0")).Restarts
	if len(all) != 1 || all[0].Kind != timeline.KindRefused {
		t.Errorf("of words: %+v", all)
	}
	if all := build(creating("u1")).Restarts; len(all) != 0 {
		t.Errorf("of the API: %+v", all)
	}
}

func TestMentionsAreNeverMoreThanPossible(t *testing.T) {
	r := Analyze(mentioning("shop", "cart-0"), Options{})
	if len(r.Items) != 1 || r.Items[0].Verdict.Confidence != "possible" {
		t.Fatalf("%+v", r.Items)
	}
}

// A table row counts ends and does not explain them: a text along with it does, for the row with its name or the only
// possible one.
func TestWordsFillTheRowOfATable(t *testing.T) {
	row := func(name, waits string) (evidence.Pod, []evidence.Observation) {
		s := evidence.Subject{PodUID: evidence.Row + "shop/" + name, Namespace: "shop", Pod: name,
			Container: evidence.Unnamed}
		rec := evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting, Attempt: 3, Reason: waits,
			RestartCount: 3}
		if waits == "" {
			rec.State = evidence.StateRunning
		}
		return evidence.Pod{UID: s.PodUID, Namespace: "shop", Name: name},
			[]evidence.Observation{{ID: name + "1", Subject: s, Source: evidence.Source{Kind: evidence.SourceAPI},
				Fact: rec}}
	}
	for name, c := range map[string]struct {
		mentioned string
		rows      map[string]string
		want      string // the pod whose end the text is about
	}{
		"by its name":      {"cart-0", map[string]string{"cart-0": "", "web-0": ""}, "cart-0"},
		"by the beginning": {"cart", map[string]string{"cart-0": "", "web-0": ""}, "cart-0"},
		"the only one":     {evidence.Unnamed, map[string]string{"cart-0": ""}, "cart-0"},
		"the only one unwell": {evidence.Unnamed, map[string]string{"cart-0": "CrashLoopBackOff", "web-0": ""},
			"cart-0"},
		"one of two":            {evidence.Unnamed, map[string]string{"cart-0": "", "web-0": ""}, ""},
		"both have that prefix": {"cart", map[string]string{"cart-0": "", "cart-1": ""}, "cart"},
	} {
		s := mentioning("shop", c.mentioned)
		for pod, waits := range c.rows {
			p, obs := row(pod, waits)
			s.Pods, s.Observations = append(s.Pods, p), append(s.Observations, obs...)
		}
		got := ""
		for _, r := range build(s).Restarts {
			if r.From.Reason == "OOMKilled" {
				got += r.PodName
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A text about the pod's eviction says more than the placeholder that a kubelet records for a container.
func TestWordsOfAnEvictionFillARowWithAPlaceholder(t *testing.T) {
	code := int32(137)
	subject := evidence.Subject{PodUID: evidence.Row + "shop/cart-0", Namespace: "shop", Pod: "cart-0",
		Container: evidence.Unnamed}
	for reason, want := range map[string]bool{"Evicted": true, "": false} {
		s := mentioning("shop", "cart-0", evidence.Pod{UID: subject.PodUID, Namespace: "shop", Name: "cart-0"})
		s.Mentioned.Pods[0].Reason = reason
		s.Observations = []evidence.Observation{{ID: "r1", Subject: subject,
			Source: evidence.Source{Kind: evidence.SourceAPI},
			Fact: evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateExited, Attempt: 4,
				ExitCode: &code,
				Reason:   "ContainerStatusUnknown", RestartCount: 4}}}
		if _, filled := rowsFilled(s, history.Build(s))[evidence.Mentioned+"shop/cart-0"]; filled != want {
			t.Errorf("reason %q: filled %t", reason, filled)
		}
	}
}

// A node whose unnamed ends all got their names has none left to report.
func TestNoUnnamedEndIsNoGap(t *testing.T) {
	h := &timeline.History{Snapshot: &evidence.Snapshot{}, Unnamed: map[string]int{"n1": 0, "n2": 3},
		UnnamedKills: map[string]int{"n1": 0}}
	gaps := unnamedGaps(h, func(string) bool { return true })
	if len(gaps) != 1 || gaps[0].Node != "n2" {
		t.Errorf("%+v", gaps)
	}
}

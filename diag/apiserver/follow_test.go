package apiserver

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

func TestARestartIsNewsAtOnce(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch pods", 1)
	lists := w.count("list pods")
	w.Put(restarted())
	c, s := w.next()
	if diff := cmp.Diff(News{Nodes: []string{"n1"}}, c); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"web-0": 2}, restarts(s)); diff != "" {
		t.Error(diff)
	}
	if len(s.Pods[0].Containers[0].Hashes) == 0 {
		t.Error("its hashes are not computed")
	}
	if n := w.count("list pods"); n != lists {
		t.Errorf("pods were listed %d times more", n-lists)
	}
	w.quiet()
}

// What changes all the time is no news; what changes a verdict later is, in its time.
func TestOnlyWhatAVerdictReadsIsNews(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch events", 2)
	p := objecttest.BasePod(func(p *corev1.Pod) { p.Labels["x"], p.Status.PodIP = "y", "10.0.0.9" })
	pulled := objecttest.BaseEvent(func(e *corev1.Event) {
		e.Name, e.Reason, e.Message = "pulled", "Pulled", `Container image "r.example/web:1" already present`
	})
	readiness := objecttest.BaseEvent(func(e *corev1.Event) {
		e.Name, e.Reason, e.Message = "ready", "Unhealthy", "Readiness probe failed: no"
	})
	other := objecttest.BaseEvent(func(e *corev1.Event) { e.Name, e.InvolvedObject.Kind = "other", "ReplicaSet" })
	w.Put(&p, &pulled, &readiness, &other)
	w.quiet()

	w.Put(new(objecttest.BaseEvent()))
	c, s := w.next()
	if len(c.Nodes) != 0 {
		t.Errorf("an event lets logs be read again: %+v", c)
	}
	want := []string{"Killing: Container a failed liveness probe, will be restarted",
		`Pulled: Container image "r.example/web:1" already present`, "Unhealthy: Readiness probe failed: no"}
	if diff := cmp.Diff(want, events(s)); diff != "" {
		t.Error(diff)
	}
	node := objecttest.BaseEvent(func(e *corev1.Event) {
		e.Name, e.Namespace, e.Reason, e.Message = "boot", "default", "Rebooted", "Node n1 has been rebooted, boot id: b2"
		e.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: "n1"}
	})
	elsewhere := node
	elsewhere.Name, elsewhere.InvolvedObject.Name = "boot2", "n9"
	n := objecttest.BaseNode("n1")
	n.Status.NodeInfo.BootID = "b2"
	w.Put(&n, &elsewhere)
	w.quiet()
	w.Put(&node)
	if _, s = w.next(); s.Nodes[0].BootID != "b2" || len(events(s)) != 4 {
		t.Errorf("node %+v, events %q", s.Nodes[0], events(s))
	}
}

func TestPodsComeAndGo(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch pods", 1)
	calm := objecttest.BasePod(objecttest.Named("shop", "calm"), func(p *corev1.Pod) { p.Status.ContainerStatuses = nil })
	w.Put(&calm, new(objecttest.BasePod(objecttest.Named("other", "hidden"))))
	c, s := w.next()
	if diff := cmp.Diff(map[string]int{"web-0": 1, "calm": -1}, restarts(s)); diff != "" || len(c.Nodes) > 0 {
		t.Error(diff, c)
	}
	w.Delete(new(objecttest.BasePod()))
	if _, s = w.next(); restarts(s)["web-0"] != 0 || len(s.Pods) != 1 {
		t.Errorf("a deleted pod stays: %v", restarts(s))
	}
}

func TestEveryScopeIsFollowed(t *testing.T) {
	names := func(n ...string) (out []PodRef) {
		for _, name := range n {
			out = append(out, PodRef{"shop", name})
		}
		return out
	}
	for name, test := range map[string]struct {
		scope Scope
		want  map[string]int
		pods  int // watches
	}{
		"the cluster": {Scope{}, map[string]int{"web-0": 2, "other": 2, "far": 2}, 1},
		"a namespace": {Scope{Namespace: "shop"}, map[string]int{"web-0": 2, "other": 2}, 1},
		"a selector":  {Scope{Namespace: "shop", Selector: "app=web"}, map[string]int{"web-0": 2}, 1},
		"one pod":     {Scope{Namespace: "shop", Names: names("web-0")}, map[string]int{"web-0": 2}, 1},
		"several pods": {Scope{Namespace: "shop", Names: names("web-0", "other")},
			map[string]int{"web-0": 2, "other": 2}, 1},
		"a node":        {Scope{Nodes: []string{"n2"}}, map[string]int{"far": 2}, 1},
		"several nodes": {Scope{Nodes: []string{"n1", "n2"}}, map[string]int{"web-0": 2, "other": 2, "far": 2}, 2},
		"node in shop":  {Scope{Namespace: "shop", Nodes: []string{"n1"}}, map[string]int{"web-0": 2, "other": 2}, 1},
		"very many pods": {Scope{Namespace: "shop", Names: append(names("web-0"), slices.Repeat(names("other"), 20)...)},
			map[string]int{"web-0": 2, "other": 2}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := base(t)
			unlabelled := func(p *corev1.Pod) { p.Labels = nil }
			far := func(p *corev1.Pod) { p.Spec.NodeName = "n2" }
			other, elsewhere := objecttest.BasePod(
				objecttest.Named("shop", "other"),
				unlabelled,
			), objecttest.BasePod(
				objecttest.Named("other", "far"),
				unlabelled,
				far,
			)
			n2 := objecttest.BaseNode("n2")
			s.Put(&other, &elsewhere, &n2)
			w := follow(t, s, test.scope, Options{})
			w.watched("watch pods", test.pods)
			killed := objecttest.BaseEvent(func(e *corev1.Event) { e.InvolvedObject.Name, e.InvolvedObject.UID = "nobody", "x" })
			w.Put(
				restarted(),
				restarted(objecttest.Named("shop", "other"), unlabelled),
				restarted(objecttest.Named("other", "far"), unlabelled, far),
				&killed,
			)
			got := map[string]int{}
			clocktest.Reached(func() bool {
				_, s := w.next()
				got = restarts(s)
				return cmp.Equal(got, test.want)
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if n := w.count("watch pods"); n != test.pods {
				t.Errorf("%d watches of pods", n)
			}
		})
	}
}

// The hour that the API server keeps events for is over: what was seen stays.
func TestEventsOutliveTheirHour(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch events", 2)
	killed := objecttest.BaseEvent()
	w.Put(&killed)
	w.next()
	w.Delete(&killed)
	w.Put(restarted())
	if _, s := w.next(); len(events(s)) != 1 {
		t.Errorf("events %q", events(s))
	}
}

// That nothing was written is claimed up to the last list of events, not up to now.
func TestSilenceIsClaimedOnlyWhereEventsWereListed(t *testing.T) {
	var mu sync.Mutex
	clock := objecttest.T0
	tick := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(d)
	}
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return clock
	}
	s := base(t)
	old := objecttest.BaseEvent(func(e *corev1.Event) {
		e.Name, e.CreationTimestamp, e.FirstTimestamp, e.LastTimestamp = "old", objecttest.At(
			-600,
		), objecttest.At(
			-600,
		), objecttest.At(
			-600,
		)
	})
	s.Put(&old)
	w := follow(t, s, Scope{Namespace: "shop"}, Options{Now: now})
	w.watched("watch pods", 1)
	reach := func(s *evidence.Snapshot) string {
		if len(s.Coverage) != 1 {
			return fmt.Sprint(s.Coverage)
		}
		return fmt.Sprint(s.Coverage[0].From.Sub(objecttest.T0), s.Coverage[0].Until.Sub(objecttest.T0))
	}
	if got := reach(w.now()); got != "-10m0s 0s" {
		t.Errorf("at first %s", got)
	}
	tick(5 * time.Minute)
	if got := reach(w.now()); got != "-10m0s 0s" {
		t.Errorf("without a list %s", got)
	}
	w.Put(restarted())
	if _, s := w.next(); reach(s) != "-10m0s 5m0s" {
		t.Errorf("after a restart %s", reach(s))
	}
	// Nothing listens for two hours, and then the list is read again.
	w.Refuse("watch events", 429)
	w.Cut()
	tick(2 * time.Hour)
	w.Delete(&old)
	late := objecttest.BaseEvent(func(e *corev1.Event) {
		e.Name, e.CreationTimestamp, e.FirstTimestamp, e.LastTimestamp = "late", objecttest.At(
			7000,
		), objecttest.At(
			7000,
		), objecttest.At(
			7000,
		)
	})
	w.Put(&late)
	w.Forget()
	lists := w.count("list events shop")
	w.Refuse("watch events", 0)
	w.watched("list events shop", lists+1)
	w.next()
	if got := reach(w.now()); !strings.HasPrefix(got, "1h56m40s ") {
		t.Errorf("after a hole %s", got)
	}
}

// No value, and no character that moves a cursor, comes in by the back door.
func TestWhatIsWatchedIsRedactedAndHarmless(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch pods", 1)
	w.Put(restarted(func(p *corev1.Pod) {
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "E", Value: "canary-env"}}
		p.Spec.Containers[0].Command = []string{"canary-command"}
		p.Annotations = map[string]string{"a": "canary-annotation",
			corev1.LastAppliedConfigAnnotation: `{"spec":{"containers":[{"name":"a","image":"r/web:0","env":"canary-applied"}]}}`}
		p.Spec.NodeName = "n1"
		p.Status.ContainerStatuses[0].LastTerminationState.Terminated.Message = "\x1b[2Jhostile\u202e"
	}))
	w.Put(new(objecttest.BaseEvent(func(e *corev1.Event) { e.Message += " \x1b]0;evil\a password=canary-event" })))
	_, s := w.next()
	pieces, _ := w.f.Collect(t.Context())
	for path, text := range filetest.Of(t, pieces[0]) {
		if strings.Contains(text, "canary-") {
			t.Errorf("%s: %s", path, text)
		}
	}
	for _, o := range s.Observations {
		if strings.ContainsAny(o.Text.String()+fmt.Sprint(o.Subject), "\x1b\a\u202e") {
			t.Errorf("%q", o.Text)
		}
	}
	var hashed []string
	for _, h := range s.Pods[0].Containers[0].Hashes {
		hashed = append(hashed, h.Image)
	}
	if !slices.Contains(hashed, "r/web:0") {
		t.Errorf("the image that was applied is not hashed: %q", hashed)
	}
}

// What is added to the hashes of one round stays with that round.
func TestWhatIsKnownOfAPodGoesWithIt(t *testing.T) {
	f := idle(Scope{Namespace: "shop"})
	f.o.Denied = []string{"nodes", "events"}
	f.hash = apiobject.Hasher{Present: objecttest.TestHash}
	p := objecttest.BasePod()
	f.tookPod(&p)
	f.seen[apiobject.ContainerKey{Namespace: p.Namespace, Pod: p.Name, Container: p.Spec.Containers[0].Name}] = nil
	f.asked[apiobject.OwnerKey{Namespace: p.Namespace, Kind: "ReplicaSet", Name: "gone"}] = true
	f.lostPod(string(p.UID))
	if _, gaps := f.Collect(t.Context()); len(f.piece.Hashes)+len(f.seen)+len(f.asked) > 0 {
		t.Errorf("hashes %v, images %v, controllers %v stay; %v", f.piece.Hashes, f.seen, f.asked, gaps)
	}
}

func TestRoundsDoNotShareHashes(t *testing.T) {
	f := idle(Scope{Namespace: "shop"})
	f.o.Denied = []string{"nodes", "events"}
	p := objecttest.BasePod()
	f.hash = apiobject.Hasher{Present: objecttest.TestHash}
	f.tookPod(&p)
	hashes := func() (*apiobject.Piece, int) {
		pieces, _ := f.Collect(t.Context())
		piece := pieces[0].(*apiobject.Piece)
		return piece, len(piece.Hashes["uid-web-0"][0].Hashes)
	}
	piece, before := hashes()
	piece.AddHashes("uid-web-0", "a", []evidence.SpecHash{{Hex: "1"}})
	if len(piece.Hashes["uid-web-0"][0].Hashes) != before+1 {
		t.Fatal("nothing was added")
	}
	if _, after := hashes(); before == 0 || after != before {
		t.Errorf("%d hashes, then %d", before, after)
	}
}

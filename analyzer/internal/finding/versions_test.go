package finding_test

import (
	"strconv"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The container runs from 10 s to 42.5 s. Earlier versions of its kubelet do not matter.
func TestWhichChangeOfVersionsCounts(t *testing.T) {
	type start struct {
		at      float64
		version string
	}
	log := func(s *analyzertest.Story) *analyzertest.Story { return s.Logs() }
	none := func(s *analyzertest.Story) *analyzertest.Story { return s }
	for name, c := range map[string]struct {
		starts         []start
		cover          func(*analyzertest.Story) *analyzertest.Story
		before         string
		at             float64
		process, alike bool
		seen           bool
	}{
		"one process":                     {[]start{{-500, "v1.30.1"}}, log, "", 0, true, true, false},
		"one process, and no log to tell": {[]start{{-500, "v1.30.1"}}, none, "", 0, false, false, false},
		"the same version again":          {[]start{{-500, "v1.30.1"}, {30, "v1.30.1"}}, log, "", 0, false, true, false},
		"another version in its life": {[]start{{-500, "v1.30.1"}, {30, "v1.31.1"}},
			log, "v1.30.1", 30, false, false, true},
		"and the new one once more": {[]start{{-500, "v1.30.1"}, {30, "v1.31.1"}, {35, "v1.31.1"}},
			log, "v1.30.1", 30, false, false, true},
		"another version before its life": {[]start{{-500, "v1.30.1"}, {-400, "v1.31.1"}}, log, "", 0, true, true, false},
		"and the new one once more in its life": {[]start{{-500, "v1.30.1"}, {-400, "v1.31.1"}, {30, "v1.31.1"}},
			log, "", 0, false, true, false},
		"two changes in its life": {[]start{{-500, "v1.29.1"}, {20, "v1.30.1"}, {30, "v1.31.1"}},
			log, "v1.30.1", 30, false, false, true},
		"one of an unknown version between": {[]start{{-500, "v1.30.1"}, {-400, ""}, {30, "v1.31.1"}},
			log, "v1.30.1", 30, false, false, false},
		"a change that no log covers": {[]start{{-500, "v1.30.1"}, {30, "v1.31.1"}},
			none, "v1.30.1", 30, false, false, false},
	} {
		s := c.cover(base())
		for i, k := range c.starts {
			s.KubeletStarts(k.at, k.version, 100+i)
		}
		v := find(t, s).Versions
		at := 0.0
		if !v.UpgradedAt.IsZero() && v.Before != "" {
			at = v.UpgradedAt.Sub(analyzertest.T0).Seconds()
		}
		if v.Before != c.before || at != c.at || v.SameProcess != c.process || v.SameVersion != c.alike || v.Seen != c.seen {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestNamesThatTheRuntimeGivesAnImage(t *testing.T) {
	for name, c := range map[string]struct {
		spec, record, before, after string // of the new container by spec, record; of both by events
		want                        finding.YesNo
		aliased                     bool
	}{
		"the spec's name":                        {"app:2", "app:2", "", "", finding.Yes, false},
		"another tag of it":                      {"app:latest", "app:2", "", "", finding.Unknown, true},
		"another tag, and events give the names": {"app:latest", "app:2", "app:latest", "app:latest", finding.No, false},
		"an edit to another tag of the same":     {"app:2", "app:1", "app:1", "app:2", finding.Yes, false},
		"an event of the new one alone":          {"app:latest", "app:2", "", "app:latest", finding.Unknown, true},
	} {
		s := analyzertest.New().Events().Records(10, 42, 137, "Error", 43,
			func(old, new *evidence.ContainerRecord) { old.Image, new.Image = "app:1", c.record })
		s.Spec(func(spec *evidence.Container) { spec.Image = c.spec })
		for at, image := range map[float64]string{9: c.before, 42.5: c.after} {
			if image != "" {
				s.Event(at, evidence.ImageSeen{Image: image})
			}
		}
		if im := find(t, s).Images; im.Differ != c.want || im.Aliased != c.aliased {
			t.Errorf("%s: %+v", name, im)
		}
	}
}

// The runtime kept no record of the old container: the events of both images come before the start of the new one.
func TestTheImageOfAContainerThatIsGone(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          finding.YesNo
	}{
		"edited":      {"app:1", "app:2", finding.Yes},
		"not touched": {"app:1", "app:1", finding.No},
	} {
		s := analyzertest.New().Events().Add(evidence.SourceAPI, 60,
			evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName, PodUID: analyzertest.PodUID,
				Container: analyzertest.Container, ContainerID: analyzertest.NewID},
			evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateRunning, Attempt: 1,
				Started: analyzertest.At(60), Image: c.after, RestartCount: 1})
		s.Event(9, evidence.ImageSeen{Image: c.before}).Event(52, evidence.ImageSeen{Image: c.after})
		if im := find(t, s).Images; im.Differ != c.want {
			t.Errorf("%s: %+v", name, im)
		}
	}
}

func TestASandboxThatDockershimWroteDown(t *testing.T) {
	const boxOfAnother = "9999999999999999999999999999999999999999999999999999999999999999"
	for name, c := range map[string]struct {
		box     string
		changed float64
		runtime string
		want    finding.Switch
	}{
		"the old container's": {analyzertest.OldBox, 9, "containerd",
			finding.Switch{Point: finding.Point{Answer: finding.Yes}, From: "docker", To: "containerd"}},
		"another one of the pod": {boxOfAnother, 9, "containerd",
			finding.Switch{Left: finding.Point{Answer: finding.Yes}}},
		"of a pod before it":           {analyzertest.OldBox, -60, "containerd", finding.Switch{}},
		"written after the new one":    {analyzertest.OldBox, 60, "containerd", finding.Switch{}},
		"and docker has the pod still": {analyzertest.OldBox, 9, "docker", finding.Switch{}},
	} {
		s := analyzertest.New()
		s.Add(evidence.SourceKubeletLog, 10, about(analyzertest.OldID, analyzertest.OldBox), evidence.ContainerStarted{})
		s.Add(evidence.SourceAPI, 43, about(analyzertest.NewID, ""),
			evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 1, Started: analyzertest.At(43),
				RestartCount: 1, Runtime: c.runtime})
		s.Add("kubelet-dir", analyzertest.Never, evidence.Subject{Namespace: analyzertest.Namespace,
			Pod: analyzertest.PodName, SandboxID: c.box},
			evidence.SandboxCheckpoint{Changed: analyzertest.At(c.changed)})
		got := find(t, s).Switch
		if got.Answer != c.want.Answer || got.From != c.want.From || got.To != c.want.To ||
			got.Left.Answer != c.want.Left.Answer {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Of a pod that a table of events shows and nothing else, what was pulled behind the kill is the next container's
// image.
func TestTheImagesOfAContainerThatOnlyEventsShow(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          finding.YesNo
	}{
		"edited":               {"app:1", "app:2", finding.Yes},
		"not touched":          {"app:1", "app:1", finding.No},
		"nothing shows before": {"", "app:2", finding.Unknown},
	} {
		s := &evidence.Snapshot{}
		event := func(second float64, f evidence.Fact) {
			s.Observations = append(s.Observations, evidence.Observation{ID: strconv.Itoa(int(second)),
				Time: analyzertest.At(second), Fact: f,
				Source: evidence.Source{Kind: evidence.SourceAPI, Where: evidence.EventPrefix + "x"},
				Subject: evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
					PodUID:    analyzertest.PodUID,
					Container: analyzertest.Container}})
		}
		if c.before != "" {
			event(9, evidence.ImageSeen{Image: c.before})
		}
		event(50, evidence.KillDecided{Reason: evidence.KillDefinition, Count: 1, First: analyzertest.At(50)})
		event(52, evidence.ImageSeen{Image: c.after})
		event(53, evidence.APIEvent{Reason: "Started", Count: 1, First: analyzertest.At(53)})
		if im := findIn(t, s).Images; im.Differ != c.want {
			t.Errorf("%s: %+v", name, im)
		}
	}
}

package staticpod_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/staticpod"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	uids "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/staticpod"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	edit    = causes.StaticPodChanged
	upgrade = causes.StaticPodKubeletUpgrade
	gone    = causes.StaticPodRemoved
)

type mutation func(*finding.Findings)

// base is a static pod whose container the kubelet stopped under one UID and started
// under another.
func base(mutations ...mutation) *finding.Findings {
	f := causestest.Base(143)
	causestest.Killed(f, evidence.KillPod)
	f.R.Pod, f.R.Spec, f.R.PodUID = nil, nil, "149603e6c03516362a8da23f624db945"
	f.R.Successor = &timeline.Successor{PodUID: "22af645d1859cb5ca6da0c484f1f37ea",
		Instance: &timeline.Instance{Started: causestest.End.Add(time.Second), Image: "busybox:2"}}
	f.T.Snapshot.Pods = []evidence.Pod{{UID: "other"}}
	f.Static.Answer = finding.Yes
	f.Versions.At = "v1.34.4"
	for _, m := range mutations {
		m(f)
	}
	return f
}

func dropped(f *finding.Findings) { f.Static.Removed = causestest.Yes(-4) }

// swapped removes the pod and adds the next one at the same time.
func swapped(f *finding.Findings) {
	f.Static.Removed, f.Static.Added = causestest.Yes(-4), causestest.Yes(-4)
}

// other lets a pod of another name come out of the files as this one goes.
func other(f *finding.Findings) {
	dropped(f)
	f.R.Successor, f.Static.Other, f.Static.Instead = nil, "default/web2-n1", causestest.Yes(-9)
	f.Static.OnlyOne = true
}

// third lets another pod go with it.
func third(f *finding.Findings) { f.Static.OnlyOne = false }

func notAdded(f *finding.Findings) { f.Static.Added.Answer = finding.No }

func same(f *finding.Findings) { f.Static.Recomputed = nil }

func unmodelled(f *finding.Findings) {
	f.Versions.At, f.Versions.Extrapolated = "v1.99.0", "v1.99.0"
}

func orphaned(f *finding.Findings) {
	f.Static.Orphan, f.NodeEvents.Kubelet, f.Static.Removed.Answer = causestest.Yes(-3), causestest.Yes(-10), finding.No
}

func written(ago time.Duration) mutation {
	return func(f *finding.Findings) {
		f.Static.Manifest, f.Static.ManifestAt = "/m/web.yaml",
			finding.Point{Answer: finding.Yes, At: causestest.End.Add(-ago), Evidence: []string{"e3"}}
	}
}

func crossing(f *finding.Findings) {
	orphaned(f)
	f.Static.Was, f.Static.Recomputed, f.Versions.At = "v1.34.4", uids.Between(34, 35), "v1.35.4"
}

// ownUID lets the manifest set the UID.
func ownUID(f *finding.Findings) {
	f.R.PodUID, f.R.From.ID = "3b1c0f3e-2f3d-4c1e-8a77-3f1d5e7a0009", "1"
}

func sameVersion(f *finding.Findings) { f.Static.SameVersion = true }
func noSuccessor(f *finding.Findings) { f.R.Successor = nil }
func back(f *finding.Findings) {
	f.R.Successor, f.R.To = nil, &timeline.Instance{Started: causestest.End.Add(20 * time.Second)}
}

func TestStaticPods(t *testing.T) {
	for name, c := range map[string]struct {
		id     causes.ID
		change []mutation
		want   causes.Strength
	}{
		"the kubelet took the old pod from its files and added the next": {edit, []mutation{swapped}, causes.Decisive},
		"and so it had made both UIDs":                                   {upgrade, []mutation{swapped}, causestest.Out},
		"and the file is still there":                                    {gone, []mutation{swapped}, causestest.Out},
		"edited while the kubelet was away, same version": {
			edit, []mutation{orphaned, sameVersion, written(30 * time.Second)}, causes.Decisive},
		"the same, and the file's time is not known": {edit, []mutation{orphaned, sameVersion}, causes.Strong},
		"the same, and the versions are not known":   {edit, []mutation{orphaned, written(30 * time.Second)}, causes.Strong},
		"one version makes one UID of a file":        {upgrade, []mutation{orphaned, sameVersion}, causestest.Out},
		"a kubelet started, nothing else is known":   {edit, []mutation{orphaned}, causes.Weak},
		"or it was another kubelet":                  {upgrade, []mutation{orphaned}, causes.Weak},
		"and the file is older than the old pod":     {upgrade, []mutation{orphaned, written(time.Hour)}, causes.Strong},
		"a minor that makes other UIDs":              {upgrade, []mutation{crossing}, causes.Decisive},
		"which needs no edit":                        {edit, []mutation{crossing}, causestest.Out},
		"but another image shows one": {edit,
			[]mutation{crossing, func(f *finding.Findings) { f.Static.Images = finding.Yes }}, causes.Strong},
		"two patches of one minor": {upgrade,
			[]mutation{crossing, same, func(f *finding.Findings) { f.Static.SameRecipe = true }}, causestest.Out},
		"two minors of which no general change is known": {upgrade, []mutation{crossing, same}, causes.Weak},
		"a minor that is not modelled":                   {upgrade, []mutation{crossing, same, unmodelled}, causes.Strong},
		"which may have been an edit, too":               {edit, []mutation{crossing, same, unmodelled}, causes.Weak},
		"and does not rule an edit out":                  {edit, []mutation{crossing, unmodelled}, causestest.None},
		"a UID in the manifest stays": {upgrade,
			[]mutation{orphaned, func(f *finding.Findings) { f.Static.ManifestUID = "u1" }}, causestest.Out},
		"no kubelet started":                           {upgrade, nil, causestest.None},
		"nothing but the change itself":                {edit, nil, causes.Strong},
		"taken from the files, and the log ends there": {edit, []mutation{dropped}, causes.Strong},
		"another file of the name came much later":     {edit, []mutation{dropped, notAdded}, causestest.Out},
		"the first one was gone until then":            {gone, []mutation{dropped, notAdded}, causes.Decisive},
		"no pod of the name came after":                {gone, []mutation{dropped, noSuccessor}, causes.Decisive},
		"and so it was not edited":                     {edit, []mutation{dropped, noSuccessor, notAdded}, causestest.Out},
		"moved away and back":                          {gone, []mutation{dropped, back}, causes.Decisive},
		"a new pod of another name came instead":       {edit, []mutation{other, notAdded}, causes.Strong},
		"and a third one went, too":                    {edit, []mutation{other, notAdded, third}, causes.Weak},
		"so that the file may be there yet":            {gone, []mutation{other, notAdded}, causes.Weak},
		"and this one came back":                       {gone, []mutation{other, back}, causes.Decisive},
		"back under the same UID, and only its mirror tells": {gone, []mutation{back, func(f *finding.Findings) {
			f.KubeletLog, f.R.Pod = false, &evidence.Pod{Mirror: true, CreatedAt: causestest.End.Add(19 * time.Second)}
		}}, causes.Weak},
		"a mirror that is older than the end tells nothing": {gone, []mutation{back, func(f *finding.Findings) {
			f.KubeletLog, f.R.Pod = false, &evidence.Pod{Mirror: true, CreatedAt: causestest.End.Add(-time.Hour)}
		}}, causestest.None},
		"which keeps the UID": {edit, []mutation{dropped, back}, causestest.Out},
		"started again in the same pod, and the file stayed": {
			gone, []mutation{back, func(f *finding.Findings) {
				f.Static.Removed.Answer, f.NodeEvents.Kubelet = finding.No, causestest.Yes(-9)
			}}, causestest.Out},
		"gone while the kubelet was away": {gone, []mutation{orphaned, noSuccessor}, causes.Strong},
		"a kill, and the API has no pod of the name": {gone,
			[]mutation{noSuccessor, func(f *finding.Findings) { f.KubeletLog = false }}, causes.Weak},
		"a kill of which the log gives another reason": {gone, []mutation{noSuccessor, dropped,
			func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) }}, causestest.Out},
		"no kill at all": {edit, []mutation{func(f *finding.Findings) { f.Kill.Point = finding.Point{Answer: finding.No} }},
			causestest.Out},
		"an eviction": {gone, []mutation{noSuccessor, func(f *finding.Findings) {
			f.End = finding.PodEnd{Point: causestest.Yes(-4), How: evidence.EndEvicted}
		}}, causestest.Out},
		"an ordinary pod's manifest is in the API": {
			edit, []mutation{func(f *finding.Findings) { f.Static.Answer = finding.No }}, causestest.Out},
		"an ordinary pod has no UID that a kubelet makes": {
			upgrade, []mutation{crossing, func(f *finding.Findings) { f.Static.Answer = finding.No }}, causestest.Out},
		"an ordinary pod is in no file": {
			gone, []mutation{dropped, noSuccessor, func(f *finding.Findings) { f.Static.Answer = finding.No }}, causestest.Out},
		"whether it is static is not known": {
			gone, []mutation{dropped, noSuccessor, func(f *finding.Findings) { f.Static.Answer = finding.Unknown }},
			causestest.None},
		"a UID that the manifest sets, and no trace of a change": {edit, []mutation{noSuccessor, ownUID}, causestest.None},
		"the manifest was given another UID":                     {edit, []mutation{swapped, ownUID}, causes.Decisive},
		"no kubelet computes the UID that a manifest sets":       {upgrade, []mutation{crossing, ownUID}, causestest.Out},
	} {
		t.Run(name, func(t *testing.T) {
			if got := causestest.Says(t, staticpod.Rules(), c.id, base(c.change...)); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

// What people read: what happened, both UIDs, and that to them it is a restart.
func TestTheChainNamesBothPods(t *testing.T) {
	for name, c := range map[string]struct {
		id     causes.ID
		change []mutation
		kind   report.ItemKind
		texts  []string
	}{
		"an edit": {edit, []mutation{swapped, written(5 * time.Second),
			func(f *finding.Findings) { f.Static.Images, f.R.From.Image = finding.Yes, "busybox:1" }}, report.Restart,
			[]string{"/m/web.yaml", "the image (busybox:1 to busybox:2)",
				"22af645d1859cb5ca6da0c484f1f37ea instead of 149603e6c03516362a8da23f624db945",
				"under UID 22af645d1859cb5ca6da0c484f1f37ea"}},
		"an upgrade": {upgrade, []mutation{crossing}, report.Restart,
			[]string{"from v1.34.4 to v1.35.4", "the UID is computed in another way",
				"belonged to no pod that the new kubelet knew"}},
		"a file that cannot be read": {gone, []mutation{dropped, noSuccessor, func(f *finding.Findings) {
			f.Static.Unread, f.Static.UnreadPath, f.Static.Trouble = causestest.Yes(-5), "/m/web.yaml", "line 7"
		}}, "", []string{"could not read /m/web.yaml", "line 7", "dropped the pod from its list"}},
		"a file that was moved away and back": {gone, []mutation{dropped, back},
			"", []string{"was removed and put back", "restarted"}},
		"another file, much later": {gone, []mutation{dropped, notAdded},
			report.Restart, []string{"was removed and put back", "under UID 22af645d1859cb5ca6da0c484f1f37ea"}},
		"a file that went while the kubelet was away": {gone, []mutation{orphaned, noSuccessor},
			"", []string{"not in any of its sources", "not restarted"}},
	} {
		t.Run(name, func(t *testing.T) {
			rules := staticpod.Rules()
			i := slices.IndexFunc(rules, func(r causes.Rule) bool { return r.ID == c.id })
			claim := rules[i].Claim(base(c.change...))
			if claim == nil {
				t.Fatal("no claim")
			}
			text := claim.Summary
			for _, step := range claim.Chain {
				text += "\n" + step.Text
			}
			for _, want := range c.texts {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not said in:\n%s", want, text)
				}
			}
			if claim.Kind != c.kind {
				t.Errorf("kind %q, want %q", claim.Kind, c.kind)
			}
		})
	}
}

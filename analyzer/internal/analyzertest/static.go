package analyzertest

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The UIDs of the one pod of a story where it is a static one: as kubelets computed them from its manifest, before and
// after a change.
const (
	OldStaticUID = "149603e6c03516362a8da23f624db945"
	NewStaticUID = "22af645d1859cb5ca6da0c484f1f37ea"
)

// static is a static pod that was killed at 40.2 s under its old UID, by a kubelet that had started long before, and,
// with again, started again under the new one.
func static(version string, again bool) *Story {
	s := New().Events().Logs()
	s.Pod.UID, s.Pod.Mirror, s.Pod.ConfigHash, s.Pod.CreatedAt = "3f0c6b5e-1c52-4bd1-9f0f-7f3a54a40001",
		true, NewStaticUID, At(43)
	if !again {
		s.Pod.Name, s.Pod.Mirror, s.Pod.ConfigHash, s.Pod.CreatedAt = "another", false, "", T0 // another pod
	}
	s.KubeletStarts(-500, version, 80)
	s.NodeInfo.KubeletVersion = version
	s.Add(evidence.SourceKubeletLog, 10.6, evidence.Subject{Namespace: Namespace,
		Pod: PodName, PodUID: OldStaticUID, ContainerID: OldID}, evidence.ContainerStarted{})
	code := int32(143)
	o, n := staticPod(OldID, OldBox, OldStaticUID), staticPod(NewID, NewBox, NewStaticUID)
	s.Add(evidence.SourceCRI, 42.5, o, evidence.ContainerRecord{Kind: evidence.KindApp,
		State: evidence.StateExited, Created: At(9.9), Started: At(10), Finished: At(42.5),
		ExitCode: &code, Reason: "Error", Image: Image})
	if again {
		s.Add(evidence.SourceCRI, 44, n, evidence.ContainerRecord{Kind: evidence.KindApp,
			State: evidence.StateRunning, Created: At(43.9), Started: At(44), Image: Image})
	}
	named := o
	named.ContainerID, named.SandboxID = "", ""
	s.Add(evidence.SourceAPI, 40, named, Decided(evidence.KillPod, "Stopping container a"))
	s.Add(evidence.SourceKubeletLog, 40.2, o, evidence.KillStarted{GraceSeconds: 30})
	s.Runtime(40.21, OldID, evidence.StopRequested{TimeoutSeconds: 30})
	died := evidence.Subject{PodUID: OldStaticUID, ContainerID: OldID}
	return s.Add(evidence.SourceKubeletLog, 42.6, died, evidence.ContainerDied{}).Add(evidence.SourceKubeletLog,
		42.6, died, evidence.ContainerFinished{ExitCode: code})
}

func staticPod(id, box, uid string) evidence.Subject {
	return evidence.Subject{Namespace: Namespace, Pod: PodName, PodUID: uid,
		Container: Container, ContainerID: id, SandboxID: box}
}

// Config adds a change of the kubelet's list of static pods, which has names only.
func (s *Story) Config(at float64, op string) *Story {
	return s.Add(evidence.SourceKubeletLog, at, evidence.Subject{Namespace: Namespace, Pod: PodName},
		evidence.PodConfig{Op: op, Origin: "file"})
}

// manifest adds the pod's manifest as it is now, last changed at a time.
func (s *Story) manifest(at float64) *Story {
	return s.Add("kubelet-dir", 3600, evidence.Subject{Namespace: Namespace, Pod: PodName},
		evidence.StaticManifest{Path: "/etc/kubernetes/manifests/web-0.yaml", Changed: At(at)})
}

// orphan adds the kubelet's message that the old UID runs and is in none of its sources.
func (s *Story) orphan(at float64) *Story {
	return s.Add(evidence.SourceKubeletLog, at, evidence.Subject{PodUID: OldStaticUID},
		evidence.PodTeardown{Reason: evidence.TeardownOrphan})
}

// another adds the start of another kubelet, in its log and as an event.
func (s *Story) another(at float64, version string) *Story {
	s.NodeInfo.KubeletVersion = version
	return s.KubeletStarts(at, version, 2080).Add(evidence.SourceAPI, at,
		evidence.Subject{Node: Node}, evidence.KubeletStarted{})
}

// defaulted is "definition changed" by the kubelet that made the container, with the given stored hash; the spec has a
// field that some API servers default.
func defaulted(oldHash string) *Story {
	const expected = "601eff8d"
	s := Definition(oldHash, Image).KubeletStarts(-500, "v1.30.14", 80)
	s.NodeInfo.KubeletVersion = "v1.30.14"
	for i := range s.Observations {
		if r, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok && r.Hash == HashNameImage {
			r.Hash = expected
			s.Observations[i].Fact = r
		}
	}
	s.Event(9, evidence.ImageSeen{Image: Image}).Event(42.9, evidence.ImageSeen{Image: Image})
	return s.Spec(func(c *evidence.Container) {
		c.Hashes = []evidence.SpecHash{
			{FromMinor: 16, ToMinor: 26, Algorithm: "fnv32a-json", Hex: "fa61d0f8", Image: Image},
			{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json", Hex: expected, Image: Image},
			{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: HashNameImage, Image: Image},
			{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "fa61d0f8", Image: Image, Without: "resizePolicy"},
		}
	})
}

// definitions are stories of static pods and of specs that changed without a new
// image.
func definitions() []Told {
	return []Told{
		{"a field that the API server began to default", func() *Story { return defaulted("fa61d0f8") },
			"hash-apiserver-change", "proven"},
		{"another field of a static pod with a UID of its own", func() *Story {
			s := defaulted("0badcafe")
			s.Pod.Mirror, s.Pod.ConfigHash = true, PodUID
			return s
		}, "spec-changed", "proven"},
		{"another field of a pod from the API", func() *Story {
			return defaulted("0badcafe").Spec(func(c *evidence.Container) { c.Hashes = c.Hashes[:3] })
		}, "spec-changed", "likely"},
		{"a static manifest that was edited", func() *Story {
			return static("v1.34.4", true).Config(10, "ADD").Config(40, "REMOVE").Config(40, "ADD").manifest(39)
		}, "static-pod-changed", "proven"},
		{"a static manifest that was edited while the kubelet was away", func() *Story {
			return static("v1.34.4", true).another(35, "v1.34.4").Config(40, "ADD").orphan(40).manifest(33)
		}, "static-pod-changed", "proven"},
		{"another kubelet and the same static manifest", func() *Story {
			return static("v1.34.4", true).another(35, "v1.35.4").Config(40, "ADD").orphan(40).manifest(-5000)
		}, "static-pod-kubelet-upgrade", "proven"},
		{"a static manifest that is gone", func() *Story {
			return static("v1.34.4", false).Config(10, "ADD").Config(40, "REMOVE")
		}, "static-pod-removed", "proven"},
	}
}

package apiobject

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// Every image that was seen is hashed with the spec as it is; the spec with one field
// less is hashed with its own image only.
func TestVariedSpecsAreHashedWithTheirOwnImageOnly(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "u1", Namespace: "shop", Name: "web-0"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "web:2"}}}}
	seen := ImagesSeen{}
	seen.Add("shop", "web-0", "a", "web:1", "an event")
	got := HashPod(pod, seen, nil, Hasher{Present: func(c *corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{Hex: "1"}, {Hex: "2", Without: "resizePolicy"},
			{Hex: "3", With: "securityContext.procMount"}}
	}})
	want := []evidence.SpecHash{
		{Hex: "1", Image: "web:2"}, {Hex: "2", Image: "web:2", Without: "resizePolicy"},
		{Hex: "3", Image: "web:2", With: "securityContext.procMount"}, {Hex: "1", Image: "web:1", Source: "an event"},
	}
	if len(got) != 1 {
		t.Fatalf("%d containers, want 1", len(got))
	}
	if diff := cmp.Diff(want, got[0].Hashes); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
	if !slices.ContainsFunc(want, evidence.SpecHash.Varied) || want[0].Varied() {
		t.Error("Varied does not tell a varied spec from the one as it is")
	}
}

// What is near the spec is asked for once, with all that is known of its past, and kept up to a bound.
func TestWhatIsNearASpecIsAskedForOnceAndBounded(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "u1", Namespace: "shop", Name: "web-0"}, Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{{Name: "i", Image: "init:2"}},
		Containers:     []corev1.Container{{Name: "a", Image: "web:2"}},
	}}
	seen := ImagesSeen{}
	seen.Add("shop", "web-0", "a", "web:1", "an event")
	past := []Revision{
		{Source: "revision 2 of deployment web",
			Spec: &corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "web:2"}, {Name: "gone", Image: "x"}}}},
		{Source: "revision 1 of deployment web",
			Spec: &corev1.PodSpec{InitContainers: []corev1.Container{{Name: "i", Image: "init:1"}},
				Containers: []corev1.Container{{Name: "a", Image: "web:0"}}}},
		{Source: "what kubectl applied last to deployment web", Applied: applied{Containers: []namedImage{{"a", "web:3"}}}},
	}
	for each, want := range map[int]int{10: 10, maxSearched: maxSearched, maxSearched + 7: maxSearched} {
		var asked []string
		got := HashPod(pod, seen, past, Hasher{
			Present: func(*corev1.Container) []evidence.SpecHash { return []evidence.SpecHash{{Hex: "1"}} },
			Near: func(a Ancestry) []evidence.SpecHash {
				about := a.Spec.Name + ":"
				for _, image := range a.Images {
					about += " " + image
				}
				for _, e := range a.Earlier {
					about += ", " + e.Source + " has " + e.Container.Image
				}
				asked = append(asked, about)
				return slices.Repeat([]evidence.SpecHash{{Hex: "2", Without: "env", Searched: true}}, each)
			},
		})
		wantAsked := []string{
			"i: init:1, revision 1 of deployment web has init:1",
			"a: web:0 web:3 web:1, revision 2 of deployment web has web:2, revision 1 of deployment web has web:0",
		}
		if diff := cmp.Diff(wantAsked, asked); diff != "" {
			t.Error(diff)
		}
		if n := len(got[1].Hashes); n != want+4 {
			t.Errorf("%d each: %d hashes are kept, want %d and one for each image", each, n, want)
		}
		var sources []string
		for _, h := range got[1].Hashes[:4] {
			sources = append(sources, h.Image+" "+h.Source)
		}
		if diff := cmp.Diff([]string{"web:2 ", "web:0 revision 1 of deployment web",
			"web:3 what kubectl applied last to deployment web", "web:1 an event"}, sources); diff != "" {
			t.Error(diff)
		}
	}
	if maxSearched+maxImages*32 > maxHashes {
		t.Error("a bundle with that many hashes could not be read back")
	}
}

// A tool may have pinned the image by the digest that the status tells.
func TestAnImageIDThatASpecCouldNameIsAnImage(t *testing.T) {
	for id, want := range map[string]string{
		"docker.io/library/web@sha256:ab": "docker.io/library/web@sha256:ab",
		"docker-pullable://web@sha256:ab": "web@sha256:ab",
		"sha256:ab":                       "", "docker://sha256:ab": "", "": "",
		"@sha256:ab": "", "docker://web@sha256:ab": "",
	} {
		if got := digested(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	for image, want := range map[string]string{
		"docker.io/library/web:1": "web:1", "docker.io/shop/web:1": "shop/web:1",
		"web:1": "", "r.example/web:1": "", "sha256:ab": "", "": "",
	} {
		if got := Familiar(image); got != want {
			t.Errorf("%q: %q, want %q", image, got, want)
		}
	}
	pod := objecttest.BasePod()
	for near, want := range map[bool]int{true: 2, false: 1} {
		if got := imagesOf(&pod, ImagesSeen{}, nil, near)[ContainerKey{"", "", "a"}]; len(got) != want {
			t.Errorf("near %t: %v", near, got)
		}
	}
}

// kubectl apply leaves the image that it set in an annotation; the pod's may be another one since.
func TestTheImageThatWasAppliedIsHashedToo(t *testing.T) {
	for name, test := range map[string]struct {
		annotation string
		want       []string
	}{
		"another image": {`{"spec":{"containers":[{"name":"a","image":"web:1","env":[{"name":"K","value":"s3cret"}]}]}}`,
			[]string{"web:2", "web:1"}},
		"the same image": {`{"spec":{"containers":[{"name":"a","image":"web:2"}]}}`, []string{"web:2"}},
		"no such one": {
			`{"spec":{"containers":[{"name":"b","image":"web:1"}],"initContainers":[{"name":"c","image":"x"}]}}`,
			[]string{"web:2"}},
		"no manifest":     {`[1,2`, []string{"web:2"}},
		"of another kind": {`{"spec":{"containers":"x"}}`, []string{"web:2"}},
		"none":            {"", []string{"web:2"}},
		"of a workload": {`{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"web:0"}]}}}}`,
			[]string{"web:2", "web:0"}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{UID: "u1", Name: "web-0",
					Annotations: map[string]string{corev1.LastAppliedConfigAnnotation: test.annotation}},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "web:2"}}},
			}
			var got []string
			for _, h := range HashPod(pod, ImagesSeen{}, nil,
				Hasher{Present: func(c *corev1.Container) []evidence.SpecHash {
					return []evidence.SpecHash{{Hex: "1"}}
				}})[0].Hashes {
				got = append(got, h.Image)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Another source may tell of an image when the pods have been read.
func TestHashesOfALaterImageAreAddedToTheirContainer(t *testing.T) {
	p := Piece{}
	p.PutHashes("u1", []ContainerHashes{{PodUID: "u1", Container: "a", Hashes: []evidence.SpecHash{{Hex: "1"}}},
		{PodUID: "u1", Container: "b"}})
	p.AddHashes("u1", "a", []evidence.SpecHash{{Hex: "2"}, {Hex: "3"}})
	p.AddHashes("u1", "c", []evidence.SpecHash{{Hex: "4"}})
	p.AddHashes("u2", "a", []evidence.SpecHash{{Hex: "5"}})
	p.AddHashes("u1", "b", make([]evidence.SpecHash, maxHashes+1))
	want := []ContainerHashes{{PodUID: "u1", Container: "a",
		Hashes: []evidence.SpecHash{{Hex: "1"}, {Hex: "2"}, {Hex: "3"}}}, {PodUID: "u1", Container: "b"}}
	if diff := cmp.Diff(map[string][]ContainerHashes{"u1": want}, p.Hashes); diff != "" {
		t.Error(diff)
	}
}

// The names of fields are as untrusted as all else that a bundle holds.
func TestTheNamesOfFieldsAreMadeSafe(t *testing.T) {
	for _, hostile := range []evidence.SpecHash{
		{Algorithm: "a\x1b[31m"}, {Hex: "b\n"}, {Image: "c\x1b"}, {Without: "d\u202e"}, {With: "e\x1b[0m"},
		{Changed: "f\x1b"}, {Source: "g\u202e"},
	} {
		if got := safeHashes([]evidence.SpecHash{hostile}); len(got) != 1 || got[0] == hostile {
			t.Errorf("%+v", got)
		}
	}
}

// A pod is hashed where it is read, and again where an event behind it names an image. The values of its environment,
// which the hash is made from, are read again too.
func TestAnImageThatAnEventNamesIsHashedWhereverTheEventStands(t *testing.T) {
	const pod = `{"kind":"Pod","metadata":{"namespace":"shop","name":"web-0","uid":"u1"},"spec":{"containers":[
		{"name":"a","image":"web:2","env":[{"name":"A","value":"b"}]}]}}`
	const pulled = `{"kind":"Event","metadata":{"namespace":"shop","name":"e"},"reason":"Pulled","involvedObject":{"kind":"Pod",
		"namespace":"shop","name":"web-0","uid":"u1","fieldPath":"spec.containers{a}"},
		"message":"Container image \"web:1\" already present on machine"}`
	hash := Hasher{Present: func(c *corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{Hex: c.Image + " " + c.Env[0].Value}}
	}}
	want := []evidence.SpecHash{{Hex: "web:2 b", Image: "web:2"}, {Hex: "web:1 b", Image: "web:1", Source: "an event"}}
	for name, items := range map[string]string{"before": pulled + "," + pod, "behind": pod + "," + pulled} {
		p := Decode([]evidence.File{evidence.Bytes("x.json", []byte(`{"kind":"List","items":[`+items+`]}`))}, hash)
		if len(p.Hashes["u1"]) != 1 {
			t.Fatalf("event %s the pod: %+v", name, p.Hashes)
		}
		if d := cmp.Diff(want, p.Hashes["u1"][0].Hashes); d != "" {
			t.Errorf("event %s the pod (-want +got):\n%s", name, d)
		}
	}
}

package forensics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// written returns a container of a pod template, with the defaults that the API server sets there.
func written(image string) *corev1.Container {
	c := base()
	c.Image = image
	c.Env, c.VolumeMounts, c.SecurityContext = c.Env[:1:1], c.VolumeMounts[:1:1], nil
	c.Resources.Limits = nil
	return c
}

// admitting applies admission to a container: a token, a cloud's variables and its mount, a proxy's variable before all
// others, a limit, and a security context.
func admitting(c *corev1.Container) *corev1.Container {
	c = c.DeepCopy()
	no := false
	c.Env = append([]corev1.EnvVar{{Name: "HTTP_PROXY", Value: secret}},
		append(c.Env, corev1.EnvVar{Name: "AWS_ROLE_ARN", Value: secret})...)
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "kube-api-access-x2x4z", MountPath: tokenPath},
		corev1.VolumeMount{Name: "aws", MountPath: "/var/run/secrets/eks.amazonaws.com/serviceaccount"})
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
	c.SecurityContext = &corev1.SecurityContext{Privileged: &no}
	return c
}

// revisions are three templates of one workload: image, a variable and resources changed.
func revisions() []Template {
	third, second, first := written("shop/web:3"), written("shop/web:2"), written("shop/web:1")
	first.Env = append(first.Env, corev1.EnvVar{Name: "OLD", Value: secret})
	first.Resources.Requests[corev1.ResourceMemory] = resource.MustParse("64Mi")
	var out []Template
	for i, c := range []*corev1.Container{third, second, first} {
		out = append(out, Template{Source: fmt.Sprintf("revision %d of deployment web", 3-i), Container: c})
	}
	return out
}

// asking returns a question about one stored hash of a container with a past, its images hashed as in a collection.
func asking(c *corev1.Container, past Past, hex string) Question {
	q := Question{Spec: evidence.Container{Name: c.Name, Kind: evidence.KindApp,
		Image: c.Image, Hashes: Present(c), Searched: Search(c, past, Wide)}, Stored: []Stored{{Hash: hex}}}
	for _, image := range past.Images {
		other := *c
		other.Image = image
		for _, h := range Present(&other) {
			if !h.Varied() {
				h.Source = "an event"
				q.Spec.Hashes = append(q.Spec.Hashes, h)
			}
		}
	}
	return q
}

// Whatever the pod has now: what the kubelet hashed once is found in its workload's past.
func TestTheRevisionThatMadeAHashIsFound(t *testing.T) {
	now := admitting(written("shop/web:3"))
	all := revisions()
	for name, test := range map[string]struct {
		now      func(*corev1.Container)
		stored   func() *corev1.Container
		origin   report.HashOrigin
		sentence string
		want     []report.HashDifference
	}{
		"edited in place, from the second revision": {nil, func() *corev1.Container { return admitting(all[1].Container) },
			report.FromAnotherImage,
			"kubelet from revision 2 of deployment web (image shop/web:2): the present spec, only the image changed",
			[]report.HashDifference{{Field: "image", Then: "shop/web:2", Now: "shop/web:3"}}},
		"from the first, which had more": {nil, func() *corev1.Container { return admitting(all[2].Container) },
			report.FromAnotherSpec,
			"kubelet from revision 1 of deployment web (image shop/web:1)",
			[]report.HashDifference{{Field: "image", Then: "shop/web:1", Now: "shop/web:3"},
				{Field: "1 more variable", Then: "set", Now: "not set"},
				{Field: "resources.requests", Then: "other", Now: "as in the spec"}}},
		"by a kubelet that got the template itself": {nil, func() *corev1.Container { return all[1].Container },
			report.FromAnotherSpec,
			"kubelet from revision 2 of deployment web, as it stands there (image shop/web:2)",
			[]report.HashDifference{{Field: "image", Then: "shop/web:2", Now: "shop/web:3"},
				{Field: "env[0]", Then: "not set", Now: "set"},
				{Field: "env[2]", Then: "not set", Now: "set"}, {Field: "resources.limits", Then: "not set", Now: "set"},
				{Field: "securityContext", Then: "not set", Now: "set"}, {Field: "volumeMounts[1]", Then: "not set", Now: "set"},
				{Field: "volumeMounts[2]", Then: "not set", Now: "set"}}},
		"resized in place since": {func(c *corev1.Container) {
			c.Resources.Requests[corev1.ResourceMemory] = resource.MustParse("1Gi")
		}, func() *corev1.Container {
			c := admitting(all[0].Container)
			c.Resources = all[0].Container.Resources
			return c
		}, report.FromAnotherSpec, "kubelet from this spec with the resources of revision 3 of deployment web (image shop/web:3)",
			[]report.HashDifference{{Field: "resources.limits", Then: "not set", Now: "set"},
				{Field: "resources.requests", Then: "other", Now: "as in the spec"}}},
		"a revision before a default was set": {nil, func() *corev1.Container {
			c := admitting(all[2].Container)
			c.TerminationMessagePolicy = ""
			return c
		}, report.FromAnotherSpec, "kubelet from revision 1 of deployment web without terminationMessagePolicy (image shop/web:1)",
			[]report.HashDifference{{Field: "image", Then: "shop/web:1", Now: "shop/web:3"},
				{Field: "terminationMessagePolicy", Then: "not set", Now: "set"},
				{Field: "1 more variable", Then: "set", Now: "not set"},
				{Field: "resources.requests", Then: "other", Now: "as in the spec"}}},
		"before a webhook was there": {nil, func() *corev1.Container {
			c := admitting(all[0].Container)
			c.SecurityContext = nil
			return c
		}, report.FromAnotherSpec, "kubelet from this spec without securityContext",
			[]report.HashDifference{{Field: "securityContext", Then: "not set", Now: "set"}}},
		"before two webhooks were there": {nil, func() *corev1.Container {
			c := admitting(all[0].Container)
			c.SecurityContext, c.Env = nil, all[0].Container.Env
			return c
		}, report.FromAnotherSpec, "kubelet from this spec without securityContext and with another env",
			[]report.HashDifference{{Field: "securityContext", Then: "not set", Now: "set"},
				{Field: "env", Then: "other", Now: "as in the spec"}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := now.DeepCopy()
			if test.now != nil {
				test.now(c)
			}
			past := Past{Images: []string{"shop/web:2", "shop/web:1"}, Earlier: all}
			for _, minor := range []int{9, 16, 24, 30} {
				a := Examine(asking(c, past, hashBy(t, minor, test.stored())))[0]
				if a.Origin != test.origin || !strings.HasSuffix(
					a.Sentence, test.sentence) || !covers(&a.MadeBy[0], minor) {
					t.Errorf("1.%d: %s: %s\n%+v", minor, a.Origin, a.Sentence, a.MadeBy)
				}
				if diff := cmp.Diff(test.want, a.Difference); diff != "" {
					t.Errorf("1.%d: %s", minor, diff)
				}
				if a.OneIn > chances/500 || a.OneIn != chances/uint64(a.Tried) {
					t.Errorf("1.%d: %d were tried, one in %d", minor, a.Tried, a.OneIn)
				}
			}
		})
	}
}

// Since 1.31 only the image distinguishes revisions, and the pod shows how a registry's webhook changes it.
func TestARevisionIsFoundByItsImageAlone(t *testing.T) {
	now := admitting(written("mirror.local/shop/web:3"))
	a := Examine(asking(now, Past{Images: []string{"shop/web:2"}, Earlier: revisions()},
		hashBy(t, 31, written("mirror.local/shop/web:2"))))[0]
	if a.Origin != report.FromAnotherImage ||
		!strings.Contains(a.Sentence,
			"from this name and the image mirror.local/shop/web:2 (named by revision 2 of deployment web): the image changed") {
		t.Errorf("%s %+v", a.Sentence, a.MadeBy)
	}
	a = Examine(asking(now, Past{Images: []string{"shop/web:2"}, Earlier: revisions()},
		hashBy(t, 31, written("shop/web:2"))))[0]
	if a.Origin != report.FromAnotherImage ||
		!strings.Contains(a.Sentence, "the image shop/web:2 (named by an event): the image changed") {
		t.Errorf("%s %+v", a.Sentence, a.MadeBy)
	}
}

func TestAnotherImageIsTriedWithOneUsualFieldBesides(t *testing.T) {
	was := written("shop/web:0")
	was.TerminationMessagePolicy = ""
	a := Examine(asking(written("shop/web:3"), Past{Images: []string{"shop/web:0"}}, hashBy(t, 28, was)))[0]
	if want := []report.HashDifference{{Field: "image", Then: "shop/web:0", Now: "shop/web:3"},
		{Field: "terminationMessagePolicy", Then: "not set", Now: "set"}}; cmp.Diff(want, a.Difference) != "" {
		t.Errorf("%s %+v", a.Sentence, a.Difference)
	}
}

func TestAdmissionThatChangesAValueIsTried(t *testing.T) {
	now, was := written("shop/web:3"), written("shop/web:3")
	now.ImagePullPolicy, was.ImagePullPolicy = corev1.PullAlways, corev1.PullIfNotPresent
	a := Examine(asking(now, Past{}, hashBy(t, 30, was)))[0]
	want := []report.HashDifference{{Field: "imagePullPolicy", Then: "other", Now: "as in the spec"}}
	if !strings.HasSuffix(a.Sentence,
		"from this spec with another imagePullPolicy") ||
		cmp.Diff(want, a.Difference) != "" {
		t.Errorf("%s %+v", a.Sentence, a.Difference)
	}
}

// The search ends at its limit whatever its input, changes nothing, and no part uses up what others need.
func TestThePastKeepsToItsShare(t *testing.T) {
	now := admitting(written("shop/web:3"))
	past := Past{}
	for n := range 40 {
		past.Images = append(past.Images, fmt.Sprint("shop/web:old", n))
		c := written(fmt.Sprint("shop/web:old", n))
		c.WorkingDir = fmt.Sprint("/", n)
		past.Earlier = append(past.Earlier, Template{Source: fmt.Sprint("revision ", n), Container: c},
			Template{Source: "damaged"})
	}
	copied := now.DeepCopy()
	for _, limit := range []int{0, 1, Narrow, Wide} {
		byRevision, images, near := 0, 0, 0
		all := Search(now, past, limit)
		for _, h := range all {
			switch {
			case h.Source != "":
				byRevision++
			case h.Image != now.Image:
				images++
			default:
				near++
			}
			if !h.Searched || strings.Contains(h.Without+h.With+h.Changed+h.Source, secret) {
				t.Errorf("%+v", h)
			}
		}
		if len(all) > limit+templates+3*16 || limit == 0 && len(all) > 0 || byRevision > templates+limit/pastShare+32 ||
			images > limit/imagesShare+16 {
			t.Errorf("limit %d: %d hashes, %d of templates, %d of images", limit, len(all), byRevision, images)
		}
		if limit == Wide && (byRevision < 200 || images < 100 || near < 800) {
			t.Errorf("limit %d: %d of templates, %d of images, %d near", limit, byRevision, images, near)
		}
	}
	if diff := cmp.Diff(copied, now); diff != "" {
		t.Errorf("the spec was changed:\n%s", diff)
	}
	if diff := cmp.Diff(revisions()[2], revisions()[2]); diff != "" {
		t.Error(diff)
	}
	kept := revisions()
	Search(now, Past{Earlier: kept}, Wide)
	if diff := cmp.Diff(revisions(), kept); diff != "" {
		t.Errorf("a template was changed:\n%s", diff)
	}
}

// A revision that equals the pod adds nothing: the pod's own hashes are not found again.
func TestThePodsOwnRevisionIsNoNeighbour(t *testing.T) {
	now := written("shop/web:3")
	own := hash.All(now)
	for _, h := range Search(now, Past{Earlier: revisions()[:1]}, Wide) {
		if slices.ContainsFunc(own, func(o hash.EraHash) bool {
			return o.Hex == h.Hex && o.FromMinor <= h.FromMinor && h.ToMinor <= o.ToMinor
		}) {
			t.Errorf("%+v is the spec's own", h)
		}
	}
}

func TestTheNearestTemplateIsTheOneThatThePodWasMadeFrom(t *testing.T) {
	all := revisions()
	past := Past{Earlier: append([]Template{{Source: "damaged"}}, all...)}
	now := admitting(all[2].Container)
	now.Image, now.Resources = "edited:9", corev1.ResourceRequirements{}
	if got := past.nearest(now); got != all[2].Container {
		t.Errorf("%v", got)
	}
	none := Past{Earlier: []Template{{Source: "damaged"}}}
	if none.nearest(now) != nil {
		t.Error("something is near nothing")
	}
}

func BenchmarkSearchWithAPast(b *testing.B) {
	now, past := admitting(written("shop/web:3")),
		Past{Images: []string{"shop/web:2", "shop/web:1"}, Earlier: slices.Concat(revisions(), revisions(), revisions())}
	b.ReportAllocs()
	for b.Loop() {
		if len(Search(now, past, Wide)) == 0 {
			b.Fatal("nothing")
		}
	}
}

package forensics

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// secret is a value that must not leave the package.
const secret = "s3cret-value"

// base is a container as an API server of 1.30 returns it.
func base() *corev1.Container {
	no := false
	return &corev1.Container{
		Name: "app", Image: "shop/web:2", Command: []string{"/web", "--key=" + secret},
		Ports: []corev1.ContainerPort{{ContainerPort: 80, Protocol: corev1.ProtocolTCP}},
		Env: []corev1.EnvVar{
			{Name: "TOKEN", Value: secret}, {Name: "AWS_REGION", Value: "x"}, {Name: "AWS_ROLE_ARN", Value: "y"},
			{Name: "NODE", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1",
				FieldPath: "spec.nodeName"}}},
		},
		Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")},
			Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi"),
				corev1.ResourceCPU: resource.MustParse("100m")},
		},
		VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"},
			{Name: "kube-api-access-x2x4z", ReadOnly: true, MountPath: tokenPath}},
		LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80), Scheme: corev1.URISchemeHTTP}},
			TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3},
		Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}},
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: &no, SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		TerminationMessagePath: pathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy: corev1.PullIfNotPresent,
	}
}

// question returns the question about one stored hash of a container as collected.
func question(c *corev1.Container, nodeKubelet string, stored ...Stored) Question {
	q := Question{Spec: evidence.Container{Name: c.Name, Kind: evidence.KindApp, Image: c.Image},
		Kubelet: nodeKubelet, Stored: stored}
	for _, h := range slices.Concat(hash.All(c), hash.AllWithoutResources(c)) {
		q.Spec.Hashes = append(q.Spec.Hashes, evidence.SpecHash{FromMinor: h.FromMinor,
			ToMinor: h.ToMinor, Algorithm: h.Algorithm, Hex: h.Hex, Image: c.Image})
	}
	for _, v := range hash.Defaulted(c) {
		for _, h := range v.Hashes {
			q.Spec.Hashes = append(q.Spec.Hashes, evidence.SpecHash{
				FromMinor: h.FromMinor, ToMinor: h.ToMinor, Algorithm: h.Algorithm,
				Hex: h.Hex, Image: c.Image, Without: v.Without, With: v.With,
			})
		}
	}
	q.Spec.Searched = Search(c, Past{}, Wide)
	return q
}

// hashBy returns what a minor stores for a container.
func hashBy(t *testing.T, minor int, c *corev1.Container) string {
	t.Helper()
	r, err := hash.Hash(minor, c)
	if err != nil {
		t.Fatal(err)
	}
	return r.Hex
}

func covers(m *report.HashMaker, minor int) bool {
	return minorOf(m.From) <= minor && minor <= minorOf(m.To)
}

// one examines a single hash.
func one(c *corev1.Container, nodeKubelet, madeBy, hex string) report.Provenance {
	return Examine(question(c, nodeKubelet, Stored{ContainerID: "0123456789abcdef", Hash: hex, Kubelet: madeBy}))[0]
}

// Whatever one edit, and most pairs, do to a spec, the hash of the result is found from the spec, under every minor
// that hashes whole specs.
func TestASpecIsFoundAgainFromItsNeighbour(t *testing.T) {
	q := question(base(), "v1.30.14")
	for _, minor := range []int{5, 6, 8, 12, 15, 16, 20, 27, 30} {
		for _, e := range edits(base()) {
			was := base()
			if !e.do(was) {
				continue
			}
			hex := hashBy(t, minor, was)
			q.Stored = []Stored{{Hash: hex, Kubelet: "v1." + strconv.Itoa(minor) + ".0"}}
			a := Examine(q)[0]
			if hex == hashBy(t, minor, base()) {
				if a.Origin != report.FromThisSpec {
					t.Errorf("%s, 1.%d does not know it: %+v", e.field, minor, a)
				}
				continue
			}
			if a.Origin != report.FromAnotherSpec || len(a.Difference) != 1 || !covers(&a.MadeBy[0], minor) {
				t.Errorf("%s, 1.%d: %s: %s %v", e.field, minor, hex, a.Sentence, a.MadeBy)
			}
		}
	}
}

func TestTwoUsualFieldsAreFoundTogether(t *testing.T) {
	was := base()
	was.TerminationMessagePolicy, was.ImagePullPolicy = "", ""
	a := one(base(), "v1.30.14", "", hashBy(t, 30, was))
	want := []report.HashDifference{
		{Field: "terminationMessagePolicy", Then: "not set", Now: "set"},
		{Field: "imagePullPolicy", Then: "not set", Now: "set"},
	}
	if diff := cmp.Diff(want, a.Difference); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(a.Sentence, "kubelet from this spec without terminationMessagePolicy and imagePullPolicy") {
		t.Error(a.Sentence)
	}
}

func TestThreeUsualFieldsAreFoundTogether(t *testing.T) {
	was := base()
	was.TerminationMessagePolicy, was.TerminationMessagePath, was.ImagePullPolicy = "", "", ""
	if a := one(base(), "v1.30.14", "v1.29.1", hashBy(t, 29, was)); a.Origin != report.FromAnotherSpec ||
		len(a.Difference) != 3 || len(a.MadeBy[0].Without) != 3 {
		t.Errorf("%s: %v", a.Sentence, a.MadeBy)
	}
}

func TestAUsualFieldIsFoundBesideAnyOther(t *testing.T) {
	was := base()
	was.TerminationMessagePolicy, was.WorkingDir, was.Lifecycle = "", "", nil
	if a := one(base(), "v1.30.14", "v1.29.1", hashBy(t, 29, was)); a.Origin != report.FromAnotherSpec ||
		len(a.Difference) != 2 {
		t.Errorf("%s: %v", a.Sentence, a.MadeBy)
	}
}

func TestASpecAsItWasWrittenIsFoundFromTheOneWithAllDefaults(t *testing.T) {
	written := base()
	for _, e := range defaults() {
		if e.way == less {
			e.do(written)
		}
	}
	if a := one(base(), "", "", hashBy(t, 25, written)); a.Origin != report.FromUnknown {
		t.Errorf("the token's mount is there: %s", a.Sentence)
	}
	dropToken(written)
	dropEnvOf("AWS_")(written)
	a := one(base(), "", "", hashBy(t, 25, written))
	if a.Origin != report.FromAnotherSpec || len(a.MadeBy[0].Without) < 6 {
		t.Errorf("%+v", a)
	}
}

// Of a million random hashes no more match than the odds predict: a handful would be wrong.
func TestRandomHashesMatchByChanceOnly(t *testing.T) {
	q := question(base(), "v1.30.14")
	b := newBook(q)
	if len(b.byHex) < 500 {
		t.Fatalf("only %d hashes", len(b.byHex))
	}
	r := rand.New(rand.NewPCG(7, 11))
	wrong := 0
	for range 1_000_000 {
		if len(b.byHex[strconv.FormatUint(uint64(r.Uint32()), 16)]) > 0 {
			wrong++
		}
	}
	// Expected are 1e6 × n / 2^32, here below one; six or more have a probability of less than one in a thousand.
	if wrong > 5 {
		t.Errorf("%d of a million match among %d", wrong, len(b.byHex))
	}
}

func TestAnswers(t *testing.T) {
	c := base()
	whole, image := hashBy(t, 25, c), hashBy(t, 31, c)
	other := base()
	other.Image = "shop/web:1"
	bigger := base()
	bigger.Resources.Limits[corev1.ResourceMemory] = resource.MustParse("512Mi")
	second, err := hash.WithoutResources(27, bigger)
	if err != nil {
		t.Fatal(err)
	}
	imageSeen := func(q *Question) {
		for _, h := range hash.All(other) {
			q.Spec.Hashes = append(q.Spec.Hashes, evidence.SpecHash{FromMinor: h.FromMinor,
				ToMinor: h.ToMinor, Algorithm: h.Algorithm, Hex: h.Hex, Image: other.Image})
		}
	}
	fixed := question(c, "")
	for name, test := range map[string]struct {
		stored Stored
		node   string
		change func(*Question)
		origin report.HashOrigin
		want   string
		notes  string
	}{
		"the kubelet alone changed": {Stored{Hash: whole, Kubelet: "v1.30.14"}, "v1.31.0", nil, report.FromThisSpec,
			"v1.19–1.30 kubelet from the present spec: only the kubelet changed, v1.31.0 computes " + image, ""},
		"nothing changed": {Stored{Hash: whole, Kubelet: "v1.25.0"}, "v1.30.1",
			nil, report.FromThisSpec, "from the present spec; the node's kubelet v1.30.1 computes the same", ""},
		"name and image are all since 1.31": {Stored{Hash: image}, "v1.33.0", nil, report.FromThisSpec,
			"computed by a v1.31 or later kubelet from this name and image, and it hashes nothing else; the node's kubelet v1.33.0 computes the same", ""},
		"an earlier image, the whole spec": {Stored{Hash: hashBy(t, 25, other)},
			"", imageSeen, report.FromAnotherImage, "from the present spec with the image shop/web:1: only the image changed", ""},
		"an earlier image that only the runtime names": {Stored{Hash: hashBy(t, 34, other), Image: other.Image},
			"", nil, report.FromAnotherImage,
			"from this name and the image shop/web:1: the image changed", ""},
		"other resources": {Stored{Hash: hashBy(t, 27, bigger), Second: second.Hex},
			"v1.27.3", nil, report.FromAnotherSpec, "from this spec with other resources", ""},
		"a kubelet that does not store this": {Stored{Hash: whole, Kubelet: "v1.33.1"},
			"v1.33.1", nil, report.FromThisSpec, "from the present spec",
			"the node's records have kubelet v1.33.1 at that time, which does not store this hash"},
		"nothing": {Stored{Hash: "12345678", Kubelet: "v1.29.0"}, "v1.30.1",
			nil, report.FromUnknown, "no known spec gives it: not this one nor a similar one", ""},
		"nothing, and no hashes of the spec": {Stored{Hash: "12345678"}, "",
			func(q *Question) { q.Spec.Hashes, q.Spec.Searched = nil, nil }, report.FromUnknown, "(1 hash was compared)",
			"the hashes of kubelets up to v1.30 are not in the evidence"},
		"nothing, and no neighbours": {Stored{Hash: "12345678"}, "", func(q *Question) { q.Spec.Searched = nil },
			report.FromUnknown, "no known spec gives it: not this one, with any image", "similar specs were not hashed"},
		"a damaged hash": {Stored{Hash: "0x12"}, "v1.30.0", nil, report.HashDamaged, "the stored value is not a hash", ""},
		"a hash of 64 bits": {Stored{Hash: "123456789"}, "v1.30.0", nil, report.HashDamaged,
			"the stored value is not a hash", ""},
		"an unread hash": {Stored{ContainerID: "0123456789abcdef"},
			"v1.30.0", nil, report.HashMissing, "not in the evidence", "crictl inspect 0123456789ab"},
		"an unread hash of docker's": {Stored{ContainerID: "0123456789abcdef", Runtime: "docker"},
			"v1.9.11", nil, report.HashMissing, "not in the evidence",
			"docker inspect 0123456789ab' shows the label annotation.io.kubernetes.container.hash"},
		"an old kubelet": {Stored{Hash: "12345678", Kubelet: "v1.9.11"}, "",
			nil, report.FromUnknown, "no known spec gives it", "up to v1.15, a kubelet may hash a quantity in a form that differs"},
		"upper case and padding, which the kubelet reads too": {Stored{Hash: "00" + strings.ToUpper(image)},
			"", nil, report.FromThisSpec, "from this name and image", ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := fixed
			q.Spec.Hashes = slices.Clone(fixed.Spec.Hashes)
			q.Kubelet, q.Stored = test.node, []Stored{test.stored}
			if test.change != nil {
				test.change(&q)
			}
			a := Examine(q)[0]
			if a.Origin != test.origin || !strings.Contains(a.Sentence, test.want) ||
				!strings.Contains(strings.Join(a.Notes, "\n"), test.notes) {
				t.Errorf("%s: %s %q", a.Origin, a.Sentence, a.Notes)
			}
			if a.MadeBy == nil || a.Difference == nil || a.Notes == nil {
				t.Error("a list is null")
			}
			if got := a.OneIn > 0; got != (a.Tried > 0) {
				t.Errorf("%d tried, one in %d", a.Tried, a.OneIn)
			}
		})
	}
}

// Up to 1.15 every field that was added to the struct changed hashes (1.8 → 1.9: all; 1.10 → 1.11: none).
func TestKubeletsOfThePrintedStruct(t *testing.T) {
	c := base()
	a := one(c, "v1.9.11", "v1.8.15", hashBy(t, 8, c))
	if a.Origin != report.FromThisSpec || a.Same == nil || *a.Same ||
		!strings.Contains(a.Sentence,
			"computed by a v1.8 kubelet from the present spec: only the kubelet changed, v1.9.11 computes "+hashBy(t, 9, c)) {
		t.Errorf("%+v", a)
	}
	a = one(c, "v1.11.10", "v1.10.13", hashBy(t, 10, c))
	if a.Origin != report.FromThisSpec || a.Same == nil || !*a.Same ||
		!strings.Contains(a.Sentence,
			"v1.10–1.11 kubelet from the present spec; the node's kubelet v1.11.10 computes the same") {
		t.Errorf("%+v", a)
	}
}

func TestAnUnknownHashIsComparedWithItsNeighboursInTime(t *testing.T) {
	q := question(base(), "v1.30.0", Stored{ContainerID: "aaaaaaaaaaaaaaaa", Hash: "12345678"},
		Stored{ContainerID: "bbbbbbbbbbbbbbbb", Hash: "12345678"}, Stored{Hash: "9"})
	all := Examine(q)
	if len(all) != 3 || !strings.Contains(strings.Join(all[0].Notes, " "), "instance bbbbbbbbbbbb has the same") ||
		strings.Contains(strings.Join(all[2].Notes, " "), "has the same") {
		t.Errorf("%+v", all)
	}
}

// No value of the spec leaves the package, nor a name of a variable or volume.
func TestOnlyNamesOfFieldsLeave(t *testing.T) {
	for _, h := range Search(base(), Past{}, Wide) {
		for _, word := range []string{secret, "TOKEN", "kube-api-access", "/data", "/web"} {
			if strings.Contains(h.Without+h.With, word) {
				t.Errorf("%+v names %s", h, word)
			}
		}
		if !h.Searched || !h.Varied() {
			t.Errorf("%+v is not marked", h)
		}
	}
}

func TestSearchKeepsToItsLimitAndLeavesTheSpecAlone(t *testing.T) {
	c := base()
	for _, limit := range []int{0, 1, Narrow, Wide} {
		if got := len(Search(c, Past{}, limit)); got > limit+16 || limit >= Narrow && got < limit/4 {
			t.Errorf("%d hashes, the limit is %d", got, limit)
		}
	}
	if diff := cmp.Diff(base(), c); diff != "" {
		t.Errorf("the spec was changed:\n%s", diff)
	}
	if Search(nil, Past{}, Wide) != nil {
		t.Error("found something near nothing")
	}
	if len(Search(&corev1.Container{}, Past{}, Wide)) == 0 {
		t.Error("an empty container has neighbours too")
	}
}

func BenchmarkSearch(b *testing.B) {
	c := base()
	b.ReportAllocs()
	for b.Loop() {
		if len(Search(c, Past{}, Wide)) == 0 {
			b.Fatal("nothing")
		}
	}
}

func BenchmarkExamine(b *testing.B) {
	q := question(base(), "v1.31.0", Stored{Hash: "12345678"}, Stored{Hash: "9abcdef0", Created: time.Unix(1, 0)})
	b.ReportAllocs()
	for b.Loop() {
		if len(Examine(q)) != 2 {
			b.Fatal("want two answers")
		}
	}
}

func FuzzExamine(f *testing.F) {
	f.Add("c87f01d2", "v1.30.14", "v1.31.0", "web:1", "resources", "")
	f.Add("", "", "", "", "", "resizePolicy, env[3]")
	f.Add("zz", "v1", "v1.999999999999.0", "\x00", ", , ", ", ")
	fixed := question(base(), "")
	f.Fuzz(func(t *testing.T, hex, made, node, image, without, with string) {
		q := fixed
		q.Kubelet, q.Stored = node, []Stored{{Hash: hex, Second: hex, Kubelet: made, Image: image}, {Hash: hex}}
		q.Spec.Searched = append(q.Spec.Searched[:8:8],
			evidence.SpecHash{FromMinor: -1, ToMinor: 99, Hex: hex, Image: image, Without: without, With: with, Searched: true})
		for _, a := range Examine(q) {
			if a.Sentence == "" || a.MadeBy == nil || a.Difference == nil || a.Notes == nil {
				t.Errorf("%+v", a)
			}
			if (a.Origin == report.FromThisSpec || a.Origin == report.FromAnotherImage) && len(a.MadeBy) == 0 {
				t.Errorf("%s without an identity", a.Origin)
			}
		}
	})
}

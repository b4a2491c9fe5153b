package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// leaf is one field of the pod's API, with the path to it and a value that it cannot have.
type leaf struct {
	place string
	value any // the whole object with the wrong value at the end
}

// leaves lists every field of a type once, each struct type at its first place only.
func leaves(t reflect.Type, at place, wrap func(any) any, seen map[reflect.Type]bool) (all []leaf) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[resource.Quantity]() {
		return []leaf{{at.String(), wrap("a lot")}, {at.String(), wrap(true)}}
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil // judged by its own reader
	}
	switch t.Kind() {
	case reflect.Struct:
		all = append(all, leaf{at.String(), wrap([]any{})},
			leaf{at.field("noSuchField").String(), wrap(map[string]any{"noSuchField": nil})})
		if seen[t] {
			return all
		}
		seen[t] = true
		for name, field := range fieldsOf(t) {
			all = append(all, leaves(field, at.field(name), func(v any) any { return wrap(map[string]any{name: v}) }, seen)...)
		}
	case reflect.Map:
		all = append(all, leaf{at.String(), wrap("text")})
		all = append(all, leaves(t.Elem(), at.field("key"), func(v any) any { return wrap(map[string]any{"key": v}) },
			seen)...)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return []leaf{{at.String(), wrap(json.Number("1"))}}
		}
		all = append(all, leaf{at.String(), wrap(map[string]any{})})
		all = append(all, leaves(t.Elem(), at.index(0), func(v any) any { return wrap([]any{v}) }, seen)...)
	case reflect.Bool:
		return []leaf{{at.String(), wrap("true")}}
	case reflect.Int32, reflect.Int64:
		return []leaf{{at.String(), wrap("1")}, {at.String(), wrap(json.Number("1.5"))},
			{at.String(), wrap(json.Number("9223372036854775808"))}}
	default:
		return []leaf{{at.String(), wrap(json.Number("1"))}, {at.String(), wrap(map[string]any{})}}
	}
	return all
}

func TestEveryFieldOfAPodRefusesWhatItCannotHaveAndIsNamed(t *testing.T) {
	pod := reflect.TypeFor[corev1.PodTemplateSpec]()
	all := leaves(pod, place{}, func(v any) any { return v }, map[reflect.Type]bool{})
	if len(all) < 1000 {
		t.Fatalf("only %d fields found", len(all))
	}
	for _, l := range all {
		err := check(pod, l.value, place{})
		if err == nil {
			t.Errorf("%s takes %v", l.place, l.value)
		} else if !strings.HasPrefix(err.Error(), l.place+": ") {
			t.Errorf("%s is called %v", l.place, err)
		}
	}
}

// full is a pod that sets a field of every form that the API has.
func full() corev1.PodTemplateSpec {
	yes, n32, n64, text := true, int32(3), int64(4), "text"
	q := resource.MustParse("1500m")
	port := intstr.FromString("http")
	list := corev1.ResourceList{"cpu": q, "memory": resource.MustParse("1Gi"), "example.com/gpu": resource.MustParse("2")}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Name: "a", UID: "u", Labels: map[string]string{"k": "v"},
			CreationTimestamp: metav1.Date(2026, 1, 2, 3, 4, 5, 0, metav1.Now().Location()).Rfc3339Copy(),
			OwnerReferences:   []metav1.OwnerReference{{Kind: "ReplicaSet", Controller: &yes}}, Finalizers: []string{"f"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m", FieldsV1: metav1.NewFieldsV1(`{"f:x":{}}`)}},
		},
		Spec: corev1.PodSpec{
			ActiveDeadlineSeconds: &n64, Overhead: list, HostAliases: []corev1.HostAlias{{IP: "::1", Hostnames: []string{"h"}}},
			Tolerations: []corev1.Toleration{{Operator: "Exists", TolerationSeconds: &n64}}, Priority: &n32,
			SecurityContext: &corev1.PodSecurityContext{RunAsUser: &n64, SupplementalGroups: []int64{1, 2}},
			Volumes: []corev1.Volume{
				{Name: "e", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &q}}},
				{Name: "s", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "s",
					DefaultMode: &n32}}},
			},
			Containers: []corev1.Container{{
				Name: "c", Image: "i", Command: []string{"x", ""}, Resources: corev1.ResourceRequirements{Limits: list},
				Env: []corev1.EnvVar{
					{Name: "E", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu",
						Divisor: q}}}},
				LivenessProbe: &corev1.Probe{PeriodSeconds: 3, ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
					Port: port, HTTPHeaders: []corev1.HTTPHeader{{Name: "h", Value: "v"}}}}},
				Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{text}}}},
				TTY:       true,
			}},
			EphemeralContainers: []corev1.EphemeralContainer{
				{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "d"}, TargetContainerName: "c"}},
		},
	}
}

func TestWhatAnAPIServerHandsOutIsReadAsItIs(t *testing.T) {
	want := full()
	raw, err := json.Marshal(corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: want.ObjectMeta,
		Spec: want.Spec, Status: corev1.PodStatus{Phase: "Running"},
	})
	if err != nil {
		t.Fatal(err)
	}
	pods, _, err := Read("f.json", raw)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(pods[0].Template)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(expected), string(again)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestQuantitiesAsTheAPITakesThem(t *testing.T) {
	for text, want := range map[string]error{
		"1": nil, "0": nil, "-1": nil, "+5": nil, "1.5": nil, "100m": nil, "1Ki": nil,
		"1Ei": nil, "1E": nil, "1e3": nil, "1E3": nil, "12e-3": nil, " 1Gi ": nil, ".5": nil,
		"5n": nil, "1e18": nil, "Gi": nil, "4611686018427387904": nil, "9223372036854775806": nil,
		"": errQuantity, "1 Gi": errQuantity, "1KiB": errQuantity, "0x10": errQuantity,
		"1_000": errQuantity, "٣": errQuantity, "1e": errQuantity,
		"NaN": errQuantity, "Inf": errQuantity, "1e1e1": errQuantity, "--1": errQuantity,
		"1e19": errAbsurd, "1e31": errAbsurd, "1e-31": errAbsurd, "8Ei": errAbsurd,
		"9223372036854775807": errAbsurd, "-9223372036854775808": errAbsurd,
		"1e9999999999": errAbsurd, "1E-9999999999": errAbsurd, strings.Repeat("1", 65): errAbsurd,
		"0." + strings.Repeat("0", 70): errAbsurd,
	} {
		if err := checkQuantity(text, place{"x"}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
		if want == nil {
			if _, err := resource.ParseQuantity(strings.TrimSpace(text)); err != nil {
				t.Errorf("the API does not take %q: %v", text, err)
			}
		}
	}
}

func TestFieldNamesAreShownSafely(t *testing.T) {
	for name, want := range map[string]string{
		"image": "spec.image", "kubernetes.io/x": "spec.kubernetes.io/x", "a b": `spec."a b"`,
		"\x1b[31m": `spec."\x1b[31m"`, "na\u202eme": `spec."na\u202eme"`,
		strings.Repeat("x", 200): `spec."` + strings.Repeat("x", maxName) + `"`, "": "spec.",
	} {
		if got := (place{"spec"}).field(name).String(); got != want {
			t.Errorf("%q is shown as %s, want %s", name, got, want)
		}
	}
	if got := fmt.Sprint(place{}.field("a").index(3).field("b")); got != "a[3].b" {
		t.Errorf("a path is shown as %s", got)
	}
}

func TestSplitKeepsLinesAndCountsThem(t *testing.T) {
	for name, test := range map[string]struct {
		in    string
		texts []string
		lines []int
	}{
		"one document":                {"a: 1\nb: 2", []string{"a: 1\nb: 2"}, []int{0}},
		"two":                         {"a: 1\n---\nb: 2\n", []string{"a: 1\n", "   \nb: 2\n"}, []int{0, 1}},
		"an end and a beginning":      {"a: 1\n...\n---\nb: 2\n", []string{"a: 1\n", "   \n", "   \nb: 2\n"}, []int{0, 1, 2}},
		"a comment on the separator":  {"--- # first\na: 1\n", []string{"", "    # first\na: 1\n"}, []int{0, 0}},
		"a tab behind the separator":  {"---\t{a: 1}\n", []string{"", "   \t{a: 1}\n"}, []int{0, 0}},
		"dashes inside of a line":     {"a: b\n  ---\nc: ---\n", []string{"a: b\n  ---\nc: ---\n"}, []int{0}},
		"more than three dashes":      {"----\n---x\n", []string{"----\n---x\n"}, []int{0}},
		"dots inside of a document":   {"a: |\n  ...\n", []string{"a: |\n  ...\n"}, []int{0}},
		"nothing":                     {"", []string{""}, []int{0}},
		"carriage returns at the end": {"a: 1\r\n---\r\nb: 2\r\n", []string{"a: 1\r\n", "   \r\nb: 2\r\n"}, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			var lines []int
			for _, d := range split([]byte(test.in)) {
				texts, lines = append(texts, string(d.text)), append(lines, d.line)
			}
			if diff := cmp.Diff(test.texts, texts); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestKindsAreTakenInTheVersionsThatServedThem(t *testing.T) {
	for object, want := range map[string]bool{
		"v1 Pod": true, "apps/v1 Deployment": true, "apps/v1beta1 StatefulSet": true,
		"extensions/v1beta1 DaemonSet": true, "batch/v1beta1 CronJob": true,
		"batch/v2alpha1 CronJob": true, "v2 Pod": false, "apps/v1 Pod": false,
		"v1 Deployment": false, "apps/v7 Deployment": false, "extensions/v1 Deployment": false,
		"example.com/v1 Deployment": false, "v1 pod": false, "/v1 Pod": true,
		"apps/ Deployment": false, "a/b/c Pod": false, "v1 List": false,
	} {
		version, kind, _ := strings.Cut(object, " ")
		if _, ok := templatePath(version, kind); ok != want {
			t.Errorf("%s: %v, want %v", object, ok, want)
		}
	}
	for _, k := range kinds {
		if !strings.Contains(kindNames(), k.kind+" (") {
			t.Errorf("%s is not in %s", k.kind, kindNames())
		}
	}
}

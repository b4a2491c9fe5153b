package redact

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

const jwt = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl"

// plant sets every string below v to a canary that names its own path, so that
// whatever survives redaction says where it came from.
func plant(v reflect.Value, path string) {
	switch v.Interface().(type) {
	case metav1.Time, metav1.MicroTime, resource.Quantity:
		return
	case metav1.FieldsV1:
		v.Addr().Interface().(*metav1.FieldsV1).SetRawString(fmt.Sprintf(`{"f:spec":{"f:x":{"k:%s":{}},"v:%[1]s":{}}}`,
			canary(path)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(canary(path))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		plant(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				plant(v.Field(i), path+"."+f.Name)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(canary(path)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		plant(v.Index(0), path+"[]")
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		plant(key, path+"{key}")
		plant(value, path+"{}")
		v.SetMapIndex(key, value)
	}
}

func canary(path string) string { return "CANARY<" + path + ">" }

var canaries = regexp.MustCompile(`CANARY<([^>]*)>`)

// survivors lists the paths whose text is in the JSON of the object.
func survivors(t *testing.T, object any) string {
	t.Helper()
	out, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(out))
	var paths []string
	for _, m := range canaries.FindAllStringSubmatch(text, -1) {
		paths = append(paths, m[1])
	}
	slices.Sort(paths)
	return strings.Join(slices.Compact(paths), "\n") + "\n"
}

// TestOnlyTheListedFieldsSurvive is the allow list, spelled out: a field that is
// not in the golden file does not leave the process.
func TestOnlyTheListedFieldsSurvive(t *testing.T) {
	var pod corev1.Pod
	var event corev1.Event
	var node corev1.Node
	for _, o := range []any{&pod, &event, &node} {
		plant(reflect.ValueOf(o).Elem(), reflect.TypeOf(o).Elem().Name())
	}
	pod.Annotations["kubernetes.io/config.hash"] = canary("config.hash annotation")
	pod.Annotations["kubectl.kubernetes.io/last-applied-configuration"] = canary("last applied")
	for name, object := range map[string]any{"pod": Pod(&pod), "event": Event(&event), "node": Node(&node)} {
		filetest.Golden(t, filepath.Join("testdata", name+".kept"), survivors(t, object))
	}
}

func TestNoCommandEnvironmentOrHeaderSurvives(t *testing.T) {
	var pod corev1.Pod
	plant(reflect.ValueOf(&pod).Elem(), "Pod")
	kept := survivors(t, Pod(&pod))
	for _, never := range []string{"Env", "Command", "Args", "Volumes", "VolumeMounts",
		"HTTPHeaders", "ImagePullSecrets", "ServiceAccount", "Affinity", "DNSConfig"} {
		if strings.Contains(kept, never) {
			t.Errorf("%s survives:\n%s", never, kept)
		}
	}
}

func TestRedactingTwiceChangesNothingMore(t *testing.T) {
	var pod corev1.Pod
	plant(reflect.ValueOf(&pod).Elem(), "Pod")
	pod.Status.Message = "token=" + jwt
	once := Pod(&pod)
	if diff := cmp.Diff(once, Pod(once)); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(once.Status.Message, "eyJ") || !strings.Contains(pod.Status.Message, jwt) {
		t.Errorf("message %q, original %q", once.Status.Message, pod.Status.Message)
	}
}

func TestTheKindOfHandlerIsKeptAndItsContentIsNot(t *testing.T) {
	p := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
			Exec: &corev1.ExecAction{Command: []string{"secret"}}}, PeriodSeconds: 7},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/ok?token=x"}}},
		Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{
			Exec: &corev1.ExecAction{Command: []string{"secret"}}}},
	}}}}
	got := Pod(p).Spec.Containers[0]
	want := corev1.Container{
		LivenessProbe:  &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{}}, PeriodSeconds: 7},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/ok?" + Mark}}},
		Lifecycle:      &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingInNothingOut(t *testing.T) {
	if Pod(nil) != nil || Event(nil) != nil || Node(nil) != nil {
		t.Error("nil did not stay nil")
	}
	if got := Pod(&corev1.Pod{}); got.Labels != nil || got.Spec.Containers != nil {
		t.Errorf("an empty pod became %+v", got)
	}
	if len(Policy()) == 0 {
		t.Error("the policy says nothing")
	}
}

var fieldSets = map[string]struct{ in, want string }{
	"image of two containers": {
		`{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{}},"k:{\"name\":\"b\"}":{"f:image":{},"f:env":{"k:{\"name\":\"PASSWORD\"}":{"f:value":{}}}}}}}`,
		`{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{}},"k:{\"name\":\"b\"}":{"f:env":{},"f:image":{}}}}}`},
	"other fields of the spec keep their names": {
		`{"f:metadata":{"f:annotations":{"f:secret":{}}},"f:spec":{"f:restartPolicy":{},"f:tolerations":{"v:\"x\"":{}}}}`,
		`{"f:spec":{"f:restartPolicy":{},"f:tolerations":{}}}`},
	"keys that are not names are dropped": {
		`{"f:spec":{"f:containers":{".":{},"k:{\"port\":1}":{},"v:secret":{}},"v:secret":{}}}`,
		`{"f:spec":{"f:containers":{".":{}}}}`},
	"nothing of the spec": {`{"f:status":{"f:phase":{}}}`, ``},
	"not a field set":     {`[1]`, ``},
	"not JSON":            {`{`, ``},
	"spec is null":        {`{"f:spec":null}`, ``},
	"containers are odd":  {`{"f:spec":{"f:containers":7}}`, `{"f:spec":{"f:containers":{}}}`},
}

func TestFieldSetsKeepNamesOnly(t *testing.T) {
	for name, c := range fieldSets {
		if got := string(specFields([]byte(c.in))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func FuzzFieldSet(f *testing.F) {
	for _, c := range fieldSets {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		once := specFields(raw)
		if once == nil {
			return
		}
		if twice := specFields(once); string(twice) != string(once) {
			t.Fatalf("filtering twice: %s became %s", once, twice)
		}
	})
}

// A device plugin names its resource as it likes; what every node has is counted.
func TestOfANodesResourcesThePlainOnesAreKept(t *testing.T) {
	four := corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"),
		"ephemeral-storage": resource.MustParse("9Gi"), "pods": resource.MustParse("110")}
	all := four.DeepCopy()
	all["example.com/project-x"], all["hugepages-2Mi"] = resource.MustParse("2"), resource.MustParse("0")
	n := Node(&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{"pool": "secret"}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "a", Value: "secret"}}},
		Status:     corev1.NodeStatus{Allocatable: all, Capacity: all},
	})
	if d := cmp.Diff(four, n.Status.Allocatable); d != "" || n.Status.Capacity != nil ||
		n.Labels != nil || n.Spec.Taints != nil {
		t.Errorf("%+v %s", n, d)
	}
	if n := Node(&corev1.Node{}); n.Status.Allocatable != nil {
		t.Errorf("%+v out of nothing", n.Status.Allocatable)
	}
}

// The logs of a node have its host's name, which may differ from the Node's in the domain.
func TestTheNamesOfANodesHostAreKept(t *testing.T) {
	kept := []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: "n1.zone.example"},
		{Type: corev1.NodeInternalDNS, Address: "n1.internal"}}
	n := Node(&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelHostname: "n1", "pool": "secret"}},
		Status: corev1.NodeStatus{Addresses: append([]corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: "10.0.0.7"}, {Type: corev1.NodeHostName, Address: "10.0.0.7"},
			{Type: corev1.NodeExternalDNS, Address: "n1.example"},
			{Type: corev1.NodeInternalDNS, Address: "no name"}}, kept...)},
	})
	if d := cmp.Diff(kept, n.Status.Addresses); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{corev1.LabelHostname: "n1"}, n.Labels); d != "" {
		t.Error(d)
	}
}

func TestTheLoginInAnImagesNameIsGone(t *testing.T) {
	digest := "reg.example:5000/web:1@sha256:0123456789abcdef0123456789abcdef"
	for in, want := range map[string]string{
		digest:                          digest,
		"admin:pw@shared.example/web:1": "admin:" + Mark + "@shared.example/web:1",
		"bob:hunter2@reg.example/web:1": "bob:" + Mark + "@reg.example/web:1",
	} {
		if got := container(&corev1.Container{Image: in}).Image; got != want {
			t.Errorf("%s of a spec: %s", in, got)
		}
		if got := status(&corev1.ContainerStatus{Image: in}).Image; got != want {
			t.Errorf("%s of a status: %s", in, got)
		}
	}
}

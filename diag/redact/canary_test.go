package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// Every string of a pod's spec that is not on the list of what is kept must be
// gone. The pod is filled by reflection, so that a new field is caught.
func TestNoStringOfAPodSurvivesUnlessItIsMeantTo(t *testing.T) {
	pod := &corev1.Pod{}
	n := 0
	fill(reflect.ValueOf(pod).Elem(), "", 0, &n)
	raw, err := json.Marshal(Pod(pod))
	if err != nil {
		t.Fatal(err)
	}
	if n < 400 {
		t.Fatalf("only %d strings were planted", n)
	}
	for _, never := range []string{
		".Env", ".EnvFrom", ".Command", ".Args", ".Volumes", ".VolumeMounts",
		".ImagePullSecrets", ".ServiceAccountName", ".NodeSelector", ".Affinity",
		".HTTPHeaders", ".SecurityContext", ".HostAliases", ".ResourceClaims",
		".Claims", ".DNSConfig", ".Finalizers", ".WorkingDir", ".PodIP", ".HostIP",
	} {
		if i := strings.Index(string(raw), "canary"+never); i >= 0 || strings.Contains(string(raw), never+".") ||
			strings.Contains(string(raw), never+"\"") {
			t.Errorf("a string of %s survived: %.200s", never, raw[max(0, i):])
		}
	}
	for _, kept := range []string{"canary.Spec.Containers.Name", "canary.Spec.Containers.Image",
		"canary.Spec.NodeName", "canary.Status.ContainerStatuses.LastTerminationState.Terminated.Reason"} {
		if !strings.Contains(string(raw), kept) {
			t.Errorf("%s is gone", kept)
		}
	}
}

// fill plants a string that tells its place into every field.
func fill(v reflect.Value, place string, depth int, n *int) {
	if depth > 12 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		*n++
		v.SetString("canary" + place)
	case reflect.Struct:
		if v.Type().PkgPath() != "k8s.io/api/core/v1" && v.Type().Name() != "ObjectMeta" &&
			v.Type().Name() != "OwnerReference" {
			return // times, quantities
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				next := place + "." + f.Name
				if f.Anonymous {
					next = place
				}
				fill(v.Field(i), next, depth+1, n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), place, depth+1, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), place, depth+1, n)
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String || v.Type().Elem().Kind() != reflect.String {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("canary"+place+".key").Convert(v.Type().Key()),
			reflect.ValueOf("canary"+place+".value").Convert(v.Type().Elem()))
	}
}

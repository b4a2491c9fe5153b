package field

import (
	"encoding/json"
	"testing"
)

// Whatever the fields are called by which a collector names a container, an object beside them is the container's.
func TestAnObjectBesideTheNamesOfAContainerIsItsOutput(t *testing.T) {
	for beside, want := range map[string]bool{
		``: false, `,"time":"2026-03-01T10:06:00Z","stream":"stdout"`: false, `,"verb":"ADDED"`: false,
		`,"kubernetes.container.name":"a"`: true, `,"k8s.container.name":"a"`: true, `,"container":"a"`: true,
		`,"kubernetes_container_name":"a"`: true, `,"pod_name":"a-0"`: true, `,"kubernetes":{"pod_name":"a-0"}`: true,
		`,"filename":"/var/log/pods/x_a-0_u/a/0.log"`: true, `,"sourcetype":"kube:container:a"`: true,
		`,"tags":["kube_container_name:a"]`: true,
	} {
		var record map[string]json.RawMessage
		text := `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},"spec":{"containers":[{"name":"app"}]},` +
			`"status":{"containerStatuses":[{"name":"app","containerID":"containerd://1"}]}` + beside + `}`
		if err := json.Unmarshal([]byte(text), &record); err != nil {
			t.Fatal(err)
		}
		if got := Beside(record).OfContainer(); got != want {
			t.Errorf("%s: of a container: %v", beside, got)
		}
	}
}

func TestOnlyExportersOfEventsPrintTheAPIsEvents(t *testing.T) {
	for name, want := range map[string]bool{"eventrouter": true, "kube-eventer": true, "event-api": false,
		"eventual-consistency": false, "": false} {
		if OfEvents(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

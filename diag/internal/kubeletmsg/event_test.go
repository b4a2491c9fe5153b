package kubeletmsg

import "testing"

func TestParseEvent(t *testing.T) {
	const object = `Event(v1.ObjectReference{Kind:"Pod", Namespace:"ns", Name:"p", UID:"u", APIVersion:"v1", ` +
		`ResourceVersion:"1", FieldPath:"spec.initContainers{c}"}): `
	for line, want := range map[string]EventLine{
		object + "type: 'Warning' reason: 'Evicted' The node was low on resource: memory.": {
			"ns", "p", "u", "c", "Evicted", "The node was low on resource: memory."},
		object + "reason: 'Killing' it's gone": {"ns", "p", "u", "c", "Killing", "it's gone"},
	} {
		if e, ok := ParseEvent(line); !ok || e != want {
			t.Errorf("ParseEvent(%s) = %+v, %v", line, e, ok)
		}
	}
	for _, line := range []string{"", "Event(v1.ObjectReference{Kind:\"Pod\"}): reason: 'x' y", object, object + "reason: 'x"} {
		if e, ok := ParseEvent(line); ok {
			t.Errorf("ParseEvent(%s) = %+v", line, e)
		}
	}
}

func TestTheContainerIsReadFromTheFieldPath(t *testing.T) {
	for path, want := range map[string]string{
		"spec.containers{a}": "a", "spec.initContainers{b-1}": "b-1", "spec.ephemeralContainers{c}": "c",
		"": "", "spec.containers{a": "", "spec.containers[0]": "", "spec": "",
		"implicitly required container POD": "", "spec.containers{}": "",
	} {
		if got := ContainerOf(path); got != want {
			t.Errorf("ContainerOf(%q) = %q, want %q", path, got, want)
		}
	}
}

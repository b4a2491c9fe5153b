package kubeletmsg

import "strings"

// EventLine is an event that a program's event recorder wrote to its log.
type EventLine struct {
	Namespace, Pod, UID, Container, Reason, Message string
}

// ParseEvent reads the event of a pod as client-go prints it (tools/record/event.go StartLogging):
//
//	Event(v1.ObjectReference{Kind:"Pod", Namespace:"ns", Name:"p", UID:"…", …, FieldPath:"spec.containers{c}"}):
//	type: 'Warning' reason: 'Evicted' <message>
func ParseEvent(line string) (e EventLine, ok bool) {
	object, said, found := strings.Cut(line, "}): ")
	_, rest, _ := strings.Cut(said, "reason: '")
	e.Reason, e.Message, ok = strings.Cut(rest, "' ")
	e.Namespace, e.Pod, e.UID = inObject(object, "Namespace"), inObject(object, "Name"), inObject(object, "UID")
	e.Container = ContainerOf(inObject(object, "FieldPath"))
	return e, found && ok && e.Namespace != "" && e.Pod != ""
}

// ContainerOf returns the container's name in the field path of an event: spec.containers{a}, spec.initContainers{a},
// spec.ephemeralContainers{a}. It returns "" for any other path.
func ContainerOf(fieldPath string) string {
	for _, before := range []string{"spec.containers{", "spec.initContainers{", "spec.ephemeralContainers{"} {
		if rest, ok := strings.CutPrefix(fieldPath, before); ok {
			if name, ok := strings.CutSuffix(rest, "}"); ok {
				return name
			}
		}
	}
	return ""
}

// inObject returns a field of an object reference as Go prints it.
func inObject(object, field string) string {
	_, rest, _ := strings.Cut(object, " "+field+`:"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

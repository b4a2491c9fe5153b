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
	e.Container = ContainerAt(inObject(object, "FieldPath"))
	return e, found && ok && e.Namespace != "" && e.Pod != ""
}

// ContainerAt returns the container in a field path of a pod, spec.containers{c} or spec.initContainers{c}; "" for any
// other path.
func ContainerAt(path string) string {
	_, name, _ := strings.Cut(path, "ontainers{")
	return strings.TrimSuffix(name, "}")
}

// inObject returns a field of an object reference as Go prints it.
func inObject(object, field string) string {
	_, rest, _ := strings.Cut(object, " "+field+`:"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

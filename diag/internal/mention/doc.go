// Package mention finds statements about the end of a container in any text, for inputs that no other reader knows: the
// log of a workflow engine, the last line of a build, a dump of a Python client, the fields of a dashboard.
//
// It knows which words report an end, how a pod, a container and a namespace are named next to them, and what is
// documentation rather than evidence. What it finds becomes objects whose UIDs begin with evidence.Mentioned: the
// analyzer reads them only if nothing else describes the pod, and calls nothing from them more than *possible*. Which
// names a line has is up to diag/internal/naming. It may import that, diag/internal/field, podrecord and textkind,
// diag/evidence and the standard library. It does no I/O.
package mention

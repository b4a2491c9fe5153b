// Package mention finds words about the end of a container in any text, for inputs that no other reader knows: the log
// of a workflow engine, the last line of a build, a dump of a Python client, the fields of a dashboard.
//
// It holds which words tell of an end, how a pod, a container and a namespace are named beside them, and what is
// documentation and no evidence. What it finds becomes objects whose UIDs begin with evidence.Mentioned: the analyzer
// reads them only where nothing else tells of the pod, and says no more of them than *possible*. It may import
// diag/evidence and the standard library. It does no I/O.
package mention

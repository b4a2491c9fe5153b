// Package excerpt splits what people paste: the outputs of several commands in one file, with or without a terminal's
// prompts, and pieces of what kubectl printed (a container's state from kubectl describe, a status from -o yaml, the
// events without their pod).
//
// It knows what prompts and commands look like, where one output ends and the next begins, and where a piece belongs in
// a pod. The meaning of an output is up to its own reader. Such a text proves nothing: a container chooses its
// termination message, and thus a part of its description. It may import what reads and undoes such forms
// (diag/internal/describe, field, hostprint, klogline, markup, naming, podname, podrecord, pythondict, screen, typed;
// diag/textlog), diag/evidence for names, sigs.k8s.io/yaml and the standard library. It does no I/O.
package excerpt

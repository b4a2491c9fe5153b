// Package excerpt takes apart what people paste: the outputs of several commands in one file, with the prompts of a
// terminal before them or without, and pieces of what kubectl printed (a container's state out of kubectl describe,
// a status out of -o yaml, the events without their pod).
//
// It holds how a prompt and a command look, where one output ends and the next begins, and where a piece belongs in
// a pod. What an output means is its own reader's work. A text like this proves nothing: a container chooses what
// stands in its termination message, and so in a description. It may import diag/internal/describe,
// diag/internal/pythondict, diag/internal/screen, diag/textlog, diag/evidence for names, sigs.k8s.io/yaml and the
// standard library. It does no I/O.
package excerpt

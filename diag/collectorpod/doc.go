// Package collectorpod reads a node's own evidence without a shell on the node: through a pod that runs this program
// there for some seconds and streams a bundle back.
//
// It holds the pod (what it may see and do), its life from creation to removal, and the source that diag.Collect runs.
// It may import diag, diag/bundle, diag/evidence, diag/safetext and client-go. The sources that wrote the bundle's
// files also parse them; nothing here reads them, and nothing is run on the node itself.
//
// # How the bundle comes back
//
// Through attach: the program waits for a line on its standard input, then writes the bundle to its standard output,
// and exits when its input ends.
//   - Reading the container's log would need fewer rights (get pods/log), but the
//     kubelet rotates it at 10 MiB while it is written, and then the bundle has a
//     gap that cannot be detected.
//   - exec would need a second process in the container, a right that allows any
//     command in any pod of the namespace, and someone who ends the first one.
//   - The input of an attached container is a leash: when the client is gone, for
//     whatever reason, the API server closes it, and the program exits.
//
// # How nothing is left behind
//
// The client removes the pod after success, failure and Ctrl-C alike: at once if it has answered in full, else it waits
// some seconds for the node to confirm the end. If the client is killed, there are three more safeguards: the leash
// ends the program at once; activeDeadlineSeconds ends it if the leash does not; and the pod is owned by a Job that is
// complete from the start (completions: 0) and has a ttlSecondsAfterFinished, so the cluster's own controllers remove
// the Job and the pod with it. The pod is not created by the Job, so that whatever forbids it is reported at once and
// to the user. A cluster whose controllers do not run keeps the finished pod; Sweep removes it at the next run.
package collectorpod

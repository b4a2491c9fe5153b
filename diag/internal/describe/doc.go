// Package describe converts kubectl's human-readable output back into objects: kubectl describe pod, kubectl get
// events, kubectl get pods.
//
// It holds the layouts of these texts and nothing of what the objects mean. It may import diag/evidence for names,
// diag/internal/kubeletmsg for the reasons of a refused pod and for messages that were cut off, diag/internal/podrecord
// and the standard library.
// What a text leaves out (a pod's UID, an event's container) stays out: it invents nothing except the times of events,
// which are printed as ages and are computed from when the text was printed, and notes where it completes a message.
package describe

// Package describe reads what kubectl prints for people back into objects: kubectl
// describe pod, kubectl get events, kubectl get pods.
//
// It holds the layouts of these texts and nothing of what the objects mean. It may
// import the standard library alone. What a text leaves out (a pod's UID, an event's
// container) stays out: nothing is invented but the times of events, which are printed
// as ages and are counted back from when the text was printed.
package describe

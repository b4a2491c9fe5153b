// Package predict runs the kubelet backwards: each cause is a hypothesis, a change to the state that the kubelet saw
// (package sim). The decision under that change says which containers would have ended, which would have been restarted
// and whether the pod's sandbox would have been replaced; if that contradicts what is known to have happened, the cause
// is ruled out.
//
// A prediction eliminates or explains; it never proves. Where the pod's spec or the kubelet's version is unknown, or
// the decision depends on an unknown feature gate, the package is silent. It may import causes, finding, timeline,
// report, sim, the evidence and analyzer/kubelet with decide. I/O, the clock and rules of causes never enter.
package predict

// Package foreign reads what other tools collected: must-gather, sos reports, the EKS log collector, kind export logs,
// kubectl cluster-info dump, output of crictl and docker, and plain directories of logs and objects.
//
// It holds the layouts (which file of which tool is which evidence), the guess by content for files of no layout, and
// the translation of both into the files of a bundle. It may import diag/bundle, diag/internal/cri and
// diag/internal/hostfiles (for the shapes of their files), diag/textlog (for the guess), diag/apiobject (for the
// hasher), diag/internal/nodefile, diag/evidence and the standard library. It does not read what a log or an object
// says, beyond names: that is its source's work, and it is done the same way for our own collection.
//
// Foreign files are untrusted. Logs of containers are never read: whoever can write to one could forge a kubelet's
// words. Of a foreign file it is not known up to when it was read, so it reaches no further than its last line.
package foreign

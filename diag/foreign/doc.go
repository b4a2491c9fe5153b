// Package foreign reads what other tools collected: must-gather, sos reports, the EKS log collector, kind export logs,
// kubectl cluster-info dump, output of crictl and docker, and plain directories of logs and objects.
//
// It holds the layouts (which file of which tool is which evidence), recognizes the content of files of no layout, and
// translates both into the files of a bundle. It may import diag/bundle, diag/textlog (to recognize logs),
// diag/evidence, diag/safetext and the packages below diag/internal that take an input apart or know the shape of a
// file in a bundle. It does not read what a log or an object says, except names: that is up to its source, in the same
// way as for our own collection.
//
// Foreign files are untrusted. Logs of containers are never read: anyone who can write to one could forge a kubelet's
// lines. It is unknown up to when a foreign file was read, so it reaches no further than its last line.
package foreign

// Package kubeletdir reads what a kubelet keeps on its node's disk: its checkpoints, the manifests of static pods, the
// log directories of containers, and the sandboxes that dockershim recorded.
//
// It holds the readers of those directories, the shape of the file that a bundle stores (nodes/<node>/kubelet.json),
// and its reader. It may import diag/evidence, diag/internal/hostfiles, diag/internal/nodefile, diag/safetext and a
// YAML parser. Of a checkpoint it keeps only names, quantities and counts; of a manifest its digest, names and images;
// of a log its name and times. It never keeps the content of a volume, secret, log or environment.
package kubeletdir

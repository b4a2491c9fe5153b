// Package forensics runs the hash of a container backwards: which kubelet made a stored hash, and from which spec. It
// hashes the present spec, its neighbours (a field less, a field more, another image) and the templates of earlier
// revisions while the specs are available, and looks stored hashes up among them later.
//
// It may import the evidence, analyzer/kubelet, analyzer/kubelet/hash, analyzer/internal/timeline and
// analyzer/internal/finding. I/O and the clock never enter, nor do causes, which decide what a match means for a
// restart. Names of fields leave the package, values never do, except images.
package forensics

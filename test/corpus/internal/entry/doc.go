// Package entry holds the corpus' entries: evidence with its truth. An entry is a hand-written text archive (txtar), a
// worked example on a cause's page, or a recorded bundle next to a file with its truth.
//
// The files of an entry are those of a bundle, with two conveniences: objects may be written as YAML
// (`cluster/pods.yaml`), and there is no manifest: its time is in the entry's head. The package may import diag, what
// reads bundles, and the scorer's types; it judges nothing.
package entry

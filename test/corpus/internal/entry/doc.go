// Package entry holds the corpus' entries: evidence with its truth. An entry is
// a text archive (txtar) that a person wrote, a worked example on a cause's page,
// or a recorded bundle beside a file that tells its truth.
//
// The files of an entry are those of a bundle, with two conveniences: objects
// may be written as YAML (`cluster/pods.yaml`), and there is no manifest, its
// time stands in the entry's head. The package may import diag, what reads
// bundles, and the scorer's types; it judges nothing.
package entry

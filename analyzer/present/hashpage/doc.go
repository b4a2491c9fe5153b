// Package hashpage turns the stored and computed hashes of a container into pages: which kubelet computed them, from
// which spec, and what the next one will do with them.
//
// It may import analyzer/report, analyzer/document and analyzer/present.
package hashpage

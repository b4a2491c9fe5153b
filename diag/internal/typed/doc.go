// Package typed parses what people type at a prompt: which program, about which pod or node, and to what its output is
// reduced. The output is up to package excerpt.
//
// It may import the standard library only.
package typed

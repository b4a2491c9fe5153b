// Package demo holds a recorded real incident: an ordinary bundle, as `collect`
// writes it, that is read through the ordinary path. It imports nothing.
package demo

import _ "embed"

// Bundle is the recording, a .tar.zst archive.
//
//go:embed incident.tar.zst
var Bundle []byte

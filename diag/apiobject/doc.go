// Package apiobject reads what objects of the API server say: pods, events, nodes and their controllers, from the API
// server or from files that kubectl wrote, become a piece of evidence, redacted, and the piece becomes facts. Hashes of
// containers are computed at the door, by a function that is handed in, for they need values that are not kept.
//
// It may import diag/evidence, diag/safetext, diag/redact, diag/internal/kubeletmsg, diag/internal/describe and the
// API types. It asks nobody and judges nothing.
package apiobject

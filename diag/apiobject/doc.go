// Package apiobject reads objects of the API server: pods, events, nodes and their controllers, from the API server or
// from files that kubectl wrote, become a piece of evidence, redacted, and the piece becomes facts. Hashes of
// containers are computed during reading, by a function passed in, because they need values that are not kept.
//
// It may import diag/evidence, diag/safetext, diag/redact, diag/internal/kubeletmsg, diag/internal/describe and the API
// types. It makes no requests and judges nothing.
package apiobject

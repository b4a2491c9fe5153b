// Package event reads events of the API server, of both of its APIs: what each says as a fact, of which container and
// when, and how far a node's clock is from the API server's.
//
// It may import diag/evidence, diag/internal/kubeletmsg, diag/redact and diag/safetext.
package event

// Package event reads events of the API server, of both of its APIs: each event as a fact with its container and time,
// and how far a node's clock differs from the API server's.
//
// It may import diag/evidence, diag/internal/kubeletmsg, diag/redact and diag/safetext.
package event

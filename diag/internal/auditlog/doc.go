// Package auditlog reads who deleted or evicted which pod, and what kubelets restarted: requests out of an audit log of
// the API server.
//
// It holds the forms of such a record, the line that stands for a request in a log, and the facts of that line. It may
// import diag/evidence, diag/internal/podrecord and diag/safetext. Anyone may write a file with such records, so they
// alone prove nothing.
package auditlog

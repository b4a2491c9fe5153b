// Package unwrap reads logs and objects out of what they were wrapped into on the
// way: the records of a log store (JSON in every arrangement, CSV, YAML), the
// prefixes that a tool puts before each line, and lists, watches and lines of
// Kubernetes objects.
//
// It holds the names of fields by which stores tell time, host, unit and message
// (fields_table.go), the ways in which records stand in a file, and the order of
// records by time. It may import encoding/json, encoding/csv, sigs.k8s.io/yaml,
// diag/internal/klogline for the header of a kubelet's line, diag/internal/runtimelog for a
// runtime's, diag/internal/describe for the words of a status, diag/internal/podrecord for
// a pod of several records, diag/internal/spool and diag/evidence for what comes out. What a line or an
// object means never enters: that is its own reader's work.
//
// A store keeps what a line says. Who wrote it, journald's own fields, the clock
// that is never set, and what a query left out are lost: whoever writes to the
// store can write any record. So nothing that comes out of here is a trusted
// field, but for the records of a true journal, which are handed on as they are.
package unwrap

// Package unwrap extracts logs and objects from what they were wrapped in: the records of a log store (JSON in every
// arrangement, CSV, YAML), the prefixes that a tool puts before each line, and lists, watches and lines of Kubernetes
// objects.
//
// It holds the names of fields that stores use for time, host, unit and message (fields_table.go), the ways in which a
// file arranges records, and the order of records by time. It may import encoding/json, encoding/csv, sigs.k8s.io/yaml,
// diag/internal/auditlog for requests to the API server, diag/internal/klogline for the header of a kubelet's line,
// diag/internal/runtimelog and diag/internal/kernel for a runtime's and the kernel's, diag/textlog for the header of
// syslog, diag/internal/textkind for how loggers begin a line, diag/internal/describe for the words of a status,
// diag/internal/podrecord for a pod of several records, diag/internal/part for where an object ends,
// diag/internal/spool and diag/evidence for the results. The meaning of a line or an object is up to its own reader.
//
// A store keeps what a line says. It loses who wrote it: journald's own fields, the clock that is never set, and what a
// query left out. Anyone who can write to the store can write any record. So no field from here is trusted, except in
// the records of a real journal, which are passed on unchanged.
package unwrap

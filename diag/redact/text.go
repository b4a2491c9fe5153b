package redact

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"

// Mark replaces what was removed.
const Mark = secrets.Mark

// Text removes secrets from free text of an object: a message, a label.
func Text(s string) string { return secrets.Text(s) }

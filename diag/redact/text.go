package redact

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"

// Mark stands where something was taken out.
const Mark = secrets.Mark

// Text takes secrets out of free text of an object: a message, a label.
func Text(s string) string { return secrets.Text(s) }

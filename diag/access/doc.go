// Package access knows which rights each step of a live collection needs, what a
// verdict lacks without it, and asks the API server before the step is taken.
//
// It holds the table of steps and the SelfSubjectAccessReview. It may import
// diag/evidence and client-go. It asks for nothing else and decides nothing: the
// caller leaves the step out. docs/RBAC.md and docs/rbac say the same in words and
// as roles; a test compares them.
package access

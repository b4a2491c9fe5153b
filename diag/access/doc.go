// Package access knows which rights each step of a live collection needs, what a verdict lacks without it, and checks
// the rights with the API server before the step is taken.
//
// It holds the table of steps and the SelfSubjectAccessReview. It may import diag/evidence and client-go. It makes no
// other requests and decides nothing: the caller skips the step. docs/RBAC.md and docs/rbac have the same in prose and
// as roles; a test compares them.
package access

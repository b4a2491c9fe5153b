// Package previouslog reads the last lines that a container wrote before it exited, from the API server (pods/log), on
// request.
//
// It makes sure whose lines they are: the API server keeps only the log of a container's last exit, so the container's
// ID is compared before and after. The application chose the content. It is returned as safe text without secrets, is
// not evidence, and never enters a bundle. It may import diag/kube, diag/evidence, diag/safetext and
// diag/internal/secrets.
package previouslog

// Package previouslog reads the last lines that a container wrote before it ended, from the
// API server (pods/log), for those who ask for them.
//
// It says truthfully whose lines they are: the API server keeps the log of the last end of a
// container alone, so the container's ID is compared before and after. The lines are the
// application's words. They come out as safe text without secrets, they are no evidence, and
// nothing of them enters a bundle. It may import diag/kube, diag/evidence, diag/safetext and
// diag/internal/secrets.
package previouslog

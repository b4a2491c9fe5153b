package definition

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// wave is how many other pods must end with one to suggest an effect on the whole node.
const wave = 2

// inAWave reports whether a container was stopped together with others right after the start of a kubelet that hashes
// their specs differently, where only a monitoring system knows of that kubelet: no event and no log gives the reason
// any more.
func inAWave(f *finding.Findings) bool {
	v, end := f.Versions, f.R.End()
	return (f.Metrics.Only || f.OnlyCounted(v.Evidence)) && f.Kill.Answer != finding.Yes && f.Kill.Answer != finding.No &&
		v.Before != "" && crossesEra(f, release.Minor(v.Before), release.Minor(v.At)) &&
		end.Sub(v.UpgradedAt) < tolerance.HashWave &&
		f.Together >= wave && causes.StoppedLike(f) && f.NodeEvents.Boot.Answer != finding.Yes
}

// theWave returns the link for that.
func theWave(f *finding.Findings) causes.Link {
	return causes.Link{Role: report.RoleMechanism, At: f.R.End(), Evidence: f.Exit.Evidence,
		Text: fmt.Sprintf("it ended with containers of %d other pods of the node, %s after the new kubelet had started",
			f.Together, f.R.End().Sub(f.Versions.UpgradedAt).Round(time.Second))}
}

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

const (
	// wave is how many other pods end with one that goes with all of its node.
	wave = 2
)

// inAWave tells a container that was stopped together with others right behind a kubelet that hashes their specs
// differently, where only a monitoring system remembers that kubelet: no event and no log says why any more.
func inAWave(f *finding.Findings) bool {
	v, end := f.Versions, f.R.End()
	return (f.Metrics.Only || f.OnlyCounted(v.Evidence)) && f.Kill.Answer != finding.Yes && f.Kill.Answer != finding.No &&
		v.Before != "" && crossesEra(f, release.Minor(v.Before), release.Minor(v.At)) &&
		end.Sub(v.UpgradedAt) < tolerance.HashWave &&
		f.Together >= wave && causes.StoppedLike(f) && f.NodeEvents.Boot.Answer != finding.Yes
}

// theWave is the link that says so.
func theWave(f *finding.Findings) causes.Link {
	return causes.Link{
		Role:     report.RoleMechanism,
		At:       f.R.End(),
		Evidence: f.Exit.Evidence,
		Text: fmt.Sprintf(
			"it ended with containers of %d other pods of the node, %s after the new kubelet had started",
			f.Together,
			f.R.End().Sub(f.Versions.UpgradedAt).Round(time.Second),
		),
	}
}

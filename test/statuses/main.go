// Command statuses holds properties against generated pod statuses: every combination of what a
// kubelet writes as phase, reason, state and lastState, with specs, conditions and events
// drawn to it. Each goes the way of a live run: objects of the API, decoded and observed by
// diag/apiserver, analysed. What a property finds violated is printed by property and shape,
// each with its smallest status.
//
// The tables (choices_table.go) hold what there is to choose, shape.go numbers the
// combinations, pod.go and events.go make the objects, properties.go, families.go and
// fitting.go hold the properties. It may import diag, diag/apiserver, diag/evidence,
// analyzer with its words (report, causes, likelihood), and the API's types; it knows no rule.
package main

import (
	"context"
	"flag"
	"os"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of what is drawn, and where the combinations begin")
	cases := flag.Int("cases", 1_000_000, "how many statuses")
	program.Main(func(ctx context.Context) error {
		found, err := run(ctx, *seed, *cases)
		if err != nil {
			return err
		}
		return found.print(os.Stdout)
	})
}

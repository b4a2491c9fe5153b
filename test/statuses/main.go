// Command statuses checks properties on generated pod statuses: every combination of what a kubelet writes as phase,
// reason, state and lastState, with random specs, conditions and events. Each is processed as in a live run: API
// objects are decoded and observed by diag/apiserver, then analysed. Violations are printed by property and shape, each
// with its smallest status.
//
// The tables (choices_table.go) hold the choices, shape.go numbers the combinations, pod.go and events.go create the
// objects, properties.go, families.go and fitting.go hold the properties. It may import diag, diag/apiserver,
// diag/evidence, analyzer with its words (report, causes, likelihood), and the API's types; it knows no rule.
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

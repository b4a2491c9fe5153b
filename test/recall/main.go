// Command recall compares the container exits in kubelets' logs, as a simple reader counts them (package ends), with
// the items that the program makes of the same logs. Every exit is an item, or one of those that the report counts as
// unnamed: it is a failure if less than 99 % of the others are items.
//
// Its data are the recorded nodes of test/corpus, whole and as their kubelet's log alone, and generated logs
// (generated.go) in which only the text around an exit names it.
package main

import (
	"context"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	program.Main(func(context.Context) error {
		results, err := all("test/corpus/testdata/recorded")
		ended, found, counted := 0, 0, 0
		for _, r := range results {
			fmt.Printf("%-45s %5d ends, %5d items, %3d counted as unnamed\n", r.name, r.ended, r.found, r.unnamed)
			ended, found, counted = ended+r.ended, found+r.found, counted+r.unnamed
		}
		if err != nil {
			return err
		}
		fmt.Printf("recall: %d of %d ends that have a name are items (%.1f %%); %d of all %d have none and are counted\n",
			found, ended-counted, share(found, ended-counted), counted, ended)
		return program.Hold(share(found, ended-counted) >= 99)
	})
}

func share(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

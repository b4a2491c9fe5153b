package main

import (
	"context"
	"fmt"
	"os"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/read"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/release"
)

func main() {
	for _, v := range os.Args[1:] {
		r, err := release.Fetch(context.Background(), v)
		if err != nil {
			fmt.Println(err)
			continue
		}
		i := read.Read(v, r.Dirs, r.Gaps, modelled.Parts)
		fmt.Println(v, len(i.Gates), len(i.Flags), len(i.Config), len(i.Logs), len(i.Events), len(i.Functions))
		for _, g := range i.Gaps {
			fmt.Println("  gap", g)
		}
		if err := i.Write("/tmp/gq/" + v + ".json.gz"); err != nil {
			fmt.Println(err)
		}
	}
}

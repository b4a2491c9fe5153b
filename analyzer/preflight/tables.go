package preflight

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// The tables of what a minor no longer accepts are generated (make generate) from the inventories of Kubernetes 1.24
// and later. Older entries were read from the last published patch of each minor, and stay unchanged.
var (
	// gates are the feature gates that some minor no longer knows, or that some minor has locked: those of
	// pkg/features, k8s.io/apiserver, apiextensions-apiserver, client-go and component-base, whose gates the kubelet
	// knows too, from 1.6 on. Each was tried with the kubelets of 1.20, 1.30, 1.31, 1.34 and 1.36, which behaved as
	// listed.
	gates = table[map[string]gateSpan](gatesFile)
	// newGates are the feature gates that were introduced after 1.24, including patches: an older kubelet does not know
	// them and exits at once when one is set.
	newGates = table[map[int][]string](newGatesFile)
	// removedFlags are the command line flags that the kubelet of a minor no longer knows, from 1.10 on: it exits at
	// once when one is set. They are those of cmd/kubelet/app/options, pkg/kubelet/config, component-base and klog;
	// flags that only moved to another package are left out.
	removedFlags = table[map[int][]string](flagsFile)
)

var (
	//go:embed gates.json
	gatesFile []byte
	//go:embed newgates.json
	newGatesFile []byte
	//go:embed flags.json
	flagsFile []byte
)

// gateSpan is the lifetime of a feature gate. Minors after Last do not know it, 0: it still exists. From Locked on it
// has one value only, 0: it may be set.
type gateSpan struct {
	Last, Locked int
	Value        bool
}

// table parses a file on first use.
func table[T any](file []byte) func() T {
	return sync.OnceValue(func() (t T) {
		if err := json.Unmarshal(file, &t); err != nil {
			panic(fmt.Sprintf("read a table of this program: %v", err)) // a test reads each
		}
		return t
	})
}

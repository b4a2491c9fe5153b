package mention

import "regexp"

var (
	// scopeGone and oomEvent match lines that tell of an end only by what mostly comes with one.
	scopeGone = regexp.MustCompile(`\b(?:cri-containerd|crio|docker)-([0-9a-f]{12})[0-9a-f]{52}\.scope: |` +
		`Stopped (?:libcontainer container |crio-)([0-9a-f]{12})[0-9a-f]{52}\b`)
	oomEvent = regexp.MustCompile(`\bcontainer oom ([0-9a-f]{12})[0-9a-f]{52}\b`)
	// up matches a row of crictl ps or docker ps that has a container as running.
	up = regexp.MustCompile(`^([0-9a-f]{12})[0-9a-f]{0,52}\s.*\s(?:Running\s+[a-z0-9]|Up \S)`)
	// unmade matches CRI-O's line of a sandbox that it could not run, yet.
	unmade = regexp.MustCompile(`[rR]unSandbox: .*\b([0-9a-f]{64})\b`)
	// ofCrictl matches a row of crictl ps with its pod, which has its own reader.
	ofCrictl = regexp.MustCompile(`^[0-9a-f]{13}\s.*\sago\s+(?:Running|Exited|Created|Unknown)\s+\S+\s+\d+\s+[0-9a-f]{13}\s+\S`)
)

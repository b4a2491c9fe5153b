package cri

import "github.com/restartwhy/kubectl-restartwhy/diag/safetext"

// maxMessage limits how much of a container's message is kept: the runtime puts an error here, and an error can quote a
// long command line.
const maxMessage = 1 << 10

// keep copies the wanted annotations.
func keep(into *map[string]string, from map[string]string, wanted []string) {
	for _, key := range wanted {
		if v, ok := from[key]; ok {
			if *into == nil {
				*into = map[string]string{}
			}
			(*into)[key] = v
		}
	}
}

func capped(s string) string { return safetext.Shorten(s, maxMessage) }

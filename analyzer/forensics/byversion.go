package forensics

import (
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// EveryMinor returns one version of each known minor, without a patch.
func EveryMinor() (all []kubelet.Version) {
	for minor := kubelet.OldestMinor; minor <= kubelet.NewestMinor; minor++ {
		all = append(all, kubelet.Version{Major: 1, Minor: minor, Patch: kubelet.PatchNotGiven})
	}
	return all
}

// ByVersion returns what kubelets store for the present spec of a collected container, as far as its hashes were
// collected. Where patches of a minor differ, each of their hashes is an item. second adds the hash without resources.
func ByVersion(c *evidence.Container, place int, versions []kubelet.Version, second bool) []report.HashItem {
	hashes := c.Hashes
	if len(hashes) == 0 { // the newest needs no values
		hashes = []evidence.SpecHash{definition.Of(hash.NameImage(c.Name, c.Image), c.Image)}
	}
	out := []report.HashItem{}
	for _, v := range versions {
		profile, err := kubelet.ProfileFor(v)
		if err != nil { // they were checked
			continue
		}
		minor := min(v.Minor, kubelet.NewestMinor)
		for _, h := range hashes {
			item := report.HashItem{Container: c.Name, Kind: string(c.Kind), Kubelet: v.String(), Algorithm: h.Algorithm,
				Hash: h.Hex, Place: place, Second: h.Algorithm == hash.FNV32aJSONWithoutResources}
			if h.Varied() || h.Image != c.Image || !h.Covers(minor) || item.Second && !second {
				continue
			}
			sum, err := strconv.ParseUint(h.Hex, 16, 32)
			if err != nil {
				continue // a bundle may hold anything
			}
			if item.Decimal = uint32(sum); profile.Extrapolated {
				item.ModelledAs = profile.ModelledAs
			}
			out = append(out, item)
		}
	}
	return out
}

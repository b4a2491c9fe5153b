package finding

import "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"

// Minor returns the minor whose behaviour a version is taken to have: its own, or the newest that is modelled for a newer
// one. It is 0 where the version cannot be read or is of another major. Claims may ask it, since verdict does not let one
// that is extrapolated be proven; what contradicts a cause asks KnownMinor.
func Minor(version string) int {
	if version == "" {
		return 0 // not known, as it is of most kubelets before this one
	}
	v, err := kubelet.ParseVersion(version)
	if err != nil || v.Major != 1 {
		return 0
	}
	return min(v.Minor, kubelet.NewestMinor)
}

// KnownMinor returns the minor of a version that is modelled, and 0 for every other one: what such a kubelet does is not
// known, so it rules nothing out.
func KnownMinor(version string) int {
	if Unmodelled(version) != "" {
		return 0
	}
	return Minor(version)
}

// TakenFor names a version, and beside one that is not modelled the minor that it is taken for: "v1.99.0 (taken for v1.37)".
func TakenFor(version string) string {
	switch v, err := kubelet.ParseVersion(version); {
	case err != nil || Unmodelled(version) == "":
		return version
	case v.Major != 1 || v.Minor < kubelet.OldestMinor:
		return version + " (which is not modelled)"
	}
	return version + " (taken for " + kubelet.Version{Major: 1, Minor: kubelet.NewestMinor}.MinorString() + ")"
}

// Unmodelled returns the first version that can be read and is not modelled, "" when there is none.
func Unmodelled(versions ...string) string {
	for _, version := range versions {
		if version == "" {
			continue
		}
		v, err := kubelet.ParseVersion(version)
		if err == nil && (v.Major != 1 || v.Minor < kubelet.OldestMinor || v.Minor > kubelet.NewestMinor) {
			return version
		}
	}
	return ""
}

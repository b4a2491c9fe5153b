// Package release reads the versions that kubelets name themselves with: the minor whose behaviour one is taken to
// have, and what happened when one became another.
package release

import "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"

// Minor returns the minor whose behaviour a version is taken to have: its own, or the newest that is modelled for a
// newer one. It is 0 where the version cannot be read or is of another major. Claims may ask it, since verdict does not
// let one that is extrapolated be proven; what contradicts a cause asks Known.
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

// Known returns the minor of a version that is modelled, and 0 for every other one: what such a kubelet does is
// not known, so it rules nothing out.
func Known(version string) int {
	if Unmodelled(version) != "" {
		return 0
	}
	return Minor(version)
}

// TakenFor names a version as kubelet.Version does; one that cannot be read stays as it is.
func TakenFor(version string) string {
	if v, err := kubelet.ParseVersion(version); err == nil {
		return v.TakenFor()
	}
	return version
}

// Exchange says what happened to a kubelet of one version that became another: upgraded, downgraded, or
// changed where one of the two is not known.
func Exchange(from, to string) string {
	a, err := kubelet.ParseVersion(from)
	b, other := kubelet.ParseVersion(to)
	switch {
	case err != nil || other != nil || a.Compare(b) == 0:
		return "changed"
	case a.Compare(b) > 0:
		return "downgraded"
	}
	return "upgraded"
}

// Unmodelled returns the first version that can be read and is not modelled, "" when there is none.
func Unmodelled(versions ...string) string {
	for _, version := range versions {
		if version == "" {
			continue
		}
		if v, err := kubelet.ParseVersion(version); err == nil && !v.Modelled() {
			return version
		}
	}
	return ""
}

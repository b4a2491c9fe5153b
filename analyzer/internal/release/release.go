// Package release interprets the versions that kubelets report: the minor whose behaviour is assumed for one, and what
// happened when one became another.
package release

import "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"

// Minor returns the minor whose behaviour is assumed for a version: its own, or the newest modelled one for a newer
// version. It is 0 where the version cannot be parsed or has another major. Claims may use it, since verdict lets no
// extrapolated one be proven; contradictions of a cause use Known.
func Minor(version string) int {
	if version == "" {
		return 0 // unknown, like most earlier kubelets
	}
	v, err := kubelet.ParseVersion(version)
	if err != nil || v.Major != 1 {
		return 0
	}
	return min(v.Minor, kubelet.NewestMinor)
}

// Known returns the minor of a modelled version, and 0 for every other one: what such a kubelet does is unknown, so it
// rules nothing out.
func Known(version string) int {
	if Unmodelled(version) != "" {
		return 0
	}
	return Minor(version)
}

// TakenFor formats a version as kubelet.Version does; one that cannot be parsed stays as it is.
func TakenFor(version string) string {
	if v, err := kubelet.ParseVersion(version); err == nil {
		return v.TakenFor()
	}
	return version
}

// Exchange describes the change from one kubelet version to another: upgraded, downgraded, or changed where one of the
// two is unknown.
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

// Unmodelled returns the first version that can be parsed but is not modelled, "" when there is none.
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

package binaries

// instead lists, by release, the staging modules that mirrors lack at the release's own version, with the nearest patch
// of the same minor that they have.
var instead = map[string]map[string]string{
	"v1.27.16": {
		"k8s.io/cri-api":                     "v0.27.8",
		"k8s.io/csi-translation-lib":         "v0.27.8",
		"k8s.io/dynamic-resource-allocation": "v0.27.8",
		"k8s.io/kube-controller-manager":     "v0.27.10",
		"k8s.io/kube-proxy":                  "v0.27.10",
	},
	"v1.35.6": {"k8s.io/externaljwt": "v0.35.5", "k8s.io/kube-proxy": "v0.35.7"},
}

// stagingOf returns the version of a staging module that a release is built with; staging is the release's own.
func stagingOf(path, release, staging string) string {
	if version, listed := instead[release][path]; listed {
		return version
	}
	return staging
}

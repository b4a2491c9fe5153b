package binaries

import "strings"

// noModule in the table says that no patch of the minor has the module. A directory without packages stands for it: the
// kubelet imports none of them, but the module graph names them.
const noModule = ""

// instead lists the staging modules that a mirror lacks at the release's own version, with the nearest patch of the same
// minor that there is.
var instead = map[string]map[string]string{
	"v1.17.17": {"k8s.io/node-api": noModule},
	"v1.19.16": {"k8s.io/controller-manager": "v0.19.7"},
	"v1.22.17": {"k8s.io/kube-controller-manager": "v0.22.16"},
	"v1.27.16": {
		"k8s.io/cri-api":                     "v0.27.8",
		"k8s.io/csi-translation-lib":         "v0.27.8",
		"k8s.io/dynamic-resource-allocation": "v0.27.8",
		"k8s.io/kube-controller-manager":     "v0.27.10",
		"k8s.io/kube-proxy":                  "v0.27.10",
	},
}

// isEmpty returns whether an empty directory stands for a module of a release.
func isEmpty(path, release string) bool {
	version, listed := instead[release][path]
	return listed && version == noModule || strings.HasPrefix(path, "k8s.io/sample-")
}

// stagingOf returns the version of a staging module that a release is built with; staging is the release's own.
func stagingOf(path, release, staging string) string {
	if version, listed := instead[release][path]; listed {
		return version
	}
	return staging
}

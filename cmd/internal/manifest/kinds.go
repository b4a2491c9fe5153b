package manifest

import (
	"slices"
	"strings"
)

// kinds are the objects that hold a pod, with the API groups that ever had them and the path to the template.
var kinds = []struct {
	kind   string
	groups []string
	path   []string
}{
	{"Pod", []string{""}, nil},
	{"PodTemplate", []string{""}, []string{"template"}},
	{"ReplicationController", []string{""}, []string{"spec", "template"}},
	{"Deployment", []string{"apps", "extensions"}, []string{"spec", "template"}},
	{"ReplicaSet", []string{"apps", "extensions"}, []string{"spec", "template"}},
	{"StatefulSet", []string{"apps"}, []string{"spec", "template"}},
	{"DaemonSet", []string{"apps", "extensions"}, []string{"spec", "template"}},
	{"Job", []string{"batch", "extensions"}, []string{"spec", "template"}},
	{"CronJob", []string{"batch"}, []string{"spec", "jobTemplate", "spec", "template"}},
}

// groupVersions are the versions in which each group served them.
var groupVersions = map[string][]string{
	"":           {"v1"},
	"apps":       {"v1", "v1beta2", "v1beta1"},
	"batch":      {"v1", "v1beta1", "v2alpha1"},
	"extensions": {"v1beta1"},
}

func templatePath(apiVersion, kind string) (path []string, ok bool) {
	group, version := "", apiVersion
	if g, v, found := strings.Cut(apiVersion, "/"); found {
		group, version = g, v
	}
	for _, k := range kinds {
		if k.kind == kind && slices.Contains(k.groups, group) && slices.Contains(groupVersions[group], version) {
			return k.path, true
		}
	}
	return nil, false
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		version := groupVersions[k.groups[0]][0]
		if k.groups[0] != "" {
			version = k.groups[0] + "/" + version
		}
		names = append(names, k.kind+" ("+version+")")
	}
	return strings.Join(names, ", ") + ", or a List of them"
}

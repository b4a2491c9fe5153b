package controller

import (
	"strings"
	"testing"
)

func TestWorkloadIsReadOffThePodsName(t *testing.T) {
	for in, want := range map[string]Controller{
		"web-7c5d9f6b4-q8zlm n1":  {"web-7c5d9f6b4", "web"},      // Deployment
		"web-5b7d4c9f68-lk2vp n1": {"web-5b7d4c9f68", "web"},     // ten characters of hash
		"node-agent-b7x2k n1":     {"node-agent", ""},            // DaemonSet
		"search-0 n1":             {"search", ""},                // StatefulSet
		"search-12 n1":            {"search", ""},                // StatefulSet
		"import-28911234-xv7hn n": {"import-28911234", "import"}, // CronJob's Job
		"import-28911-xv7hn n1":   {"import-28911", ""},          // a Job with a number from its author
		"etcd-n1 n1":              {"", "etcd"},                  // static pod
		"etcd-n1 N1":              {"", "etcd"},                  // the node's name in capitals
		"etcd-n1 n2":              {},                            // not of this node
		"plain n1":                {},                            // without a controller
		"my-app n1":               {},                            // no generated suffix
		"api-aeiou n1":            {},                            // vowels are never generated
		"-x n1":                   {},                            // no name before the dash
		"etcd-control-plane-1 ":   {"etcd-control-plane", ""},
		"kube-proxy-node-1.example node-1.example": {"", "kube-proxy"},
	} {
		pod, node, _ := strings.Cut(in, " ")
		if got := Of(pod, node); got != want {
			t.Errorf("%s on %q: %+v, want %+v", pod, node, got, want)
		}
	}
}

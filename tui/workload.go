package tui

import "strings"

// generated are the letters and digits of names that Kubernetes makes up
// (k8s.io/apimachinery pkg/util/rand: no vowels, no digits that look like them).
const generated = "bcdfghjklmnpqrstvwxz2456789"

// workload guesses from a pod's name what made the pod: a Deployment's pods are
// NAME-HASH-SUFFIX, those of a DaemonSet or Job NAME-SUFFIX, of a StatefulSet
// NAME-NUMBER, and a static pod's is NAME-NODE. The report does not hold owners; a
// name that fits none of these is its own workload.
func workload(pod, node string) string {
	if name, ok := strings.CutSuffix(pod, "-"+node); ok && node != "" && name != "" {
		return name
	}
	name, suffix, ok := cutLast(pod)
	if !ok {
		return pod
	}
	if suffix != "" && len(suffix) <= 6 && strings.Trim(suffix, "0123456789") == "" {
		return name
	}
	if len(suffix) != 5 || strings.Trim(suffix, generated) != "" {
		return pod
	}
	// The hash of a ReplicaSet is up to ten of the same characters.
	if base, hash, ok := cutLast(name); ok && len(hash) >= 6 && len(hash) <= 10 && strings.Trim(hash, generated) == "" {
		return base
	}
	return name
}

func cutLast(s string) (head, tail string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

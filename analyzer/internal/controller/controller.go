// Package controller reads a pod's controllers off its name. It imports nothing and knows no evidence.
package controller

import "strings"

// generated are the letters and digits of names that Kubernetes makes up
// (k8s.io/apimachinery pkg/util/rand: no vowels, no digits that look like them).
const generated = "bcdfghjklmnpqrstvwxz2456789"

// Controller is what a pod's name shows: its direct controller, and the one above that. Either is "" where it is not
// visible.
type Controller struct{ Direct, Top string }

// Of parses the name of a pod: a Deployment's pods are NAME-HASH-SUFFIX, those of a CronJob NAME-TIME-SUFFIX,
// of a DaemonSet or Job NAME-SUFFIX, of a StatefulSet NAME-NUMBER, and a static pod's is NAME-NODE.
func Of(pod, node string) Controller {
	if top, ok := strings.CutSuffix(pod, "-"+strings.ToLower(node)); ok && node != "" && top != "" {
		return Controller{Top: top}
	}
	direct, suffix, ok := cutLast(pod)
	switch {
	case !ok:
		return Controller{}
	case suffix != "" && len(suffix) <= 6 && only(suffix, digits):
		return Controller{Direct: direct}
	case len(suffix) != 5 || !only(suffix, generated):
		return Controller{}
	}
	// The hash of a ReplicaSet is up to ten of the same characters; the time of a Job is
	// eight digits, ten before v1.21.
	top, middle, ok := cutLast(direct)
	if n := len(middle); ok && (n >= 6 && n <= 10 && only(middle, generated) ||
		(n == 8 || n == 10) && only(middle, digits)) {
		return Controller{direct, top}
	}
	return Controller{Direct: direct}
}

const digits = "0123456789"

func only(s, of string) bool { return strings.Trim(s, of) == "" }

func cutLast(s string) (head, tail string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

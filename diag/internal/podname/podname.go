// Package podname finds the names of pods in a text by their shape alone.
//
// It imports the standard library only. It does not read what the text says of them.
package podname

import "strings"

// Named is a pod named in a text, with its namespace if that precedes it.
type Named struct{ Namespace, Name string }

// Replicas returns the pods of Deployments and CronJobs in a text, recognized by the shape of their names alone: a hash
// or a time, followed by five random characters (k8s.io/apimachinery/pkg/util/rand has the alphabet). No word of prose
// and no other identifier looks like that. Each is returned once, in the order of the text.
func Replicas(text string) (pods []Named) {
	seen := map[Named]bool{}
	for at := 0; at < len(text); {
		if !inName(text[at]) {
			at++
			continue
		}
		from := at
		for at < len(text) && inName(text[at]) {
			at++
		}
		name := replicaPod(text[from:at])
		if name == "" {
			continue
		}
		p := Named{Name: name, Namespace: spaceBefore(text[:from])}
		if !seen[p] {
			seen[p] = true
			pods = append(pods, p)
		}
	}
	return pods
}

func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.'
}

// replicaPod returns the name at the beginning of a token; in an event's name a dot and a number follow it.
func replicaPod(token string) string {
	for end := 0; end <= len(token); end++ {
		if end < len(token) && token[end] != '.' {
			continue
		}
		name := token[:end]
		last := strings.LastIndexByte(name, '-')
		if last < 0 || last+1+5 != len(name) || !random(name[last+1:]) {
			continue
		}
		before := strings.LastIndexByte(name[:last], '-')
		if before > 0 && len(name) < 254 && hashed(name[before+1:last]) {
			return strings.TrimLeft(name, "-.")
		}
	}
	return ""
}

// random reports whether s consists of the characters that the API server adds to a generated name.
func random(s string) bool {
	return strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == "" || strings.Trim(s, "0123456789") != "" &&
		strings.ContainsAny(s, "0123456789") // up to 1.7 with vowels, 0, 1 and 3
}

// hashed reports whether s is what a controller puts in between: the hash of a template, before 1.8 in decimal, or a
// CronJob's minute.
func hashed(s string) bool {
	if len(s) < 8 || len(s) > 10 {
		return false
	}
	return strings.Trim(s, "0123456789") == "" ||
		strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == "" && strings.ContainsAny(s, "2456789")
}

// spaceBefore returns the namespace at the end of the text before a name, "" if it ends with anything else.
func spaceBefore(text string) string {
	text, ok := strings.CutSuffix(text, "/")
	if !ok {
		return ""
	}
	from := len(text)
	for from > 0 && len(text)-from < 64 && inName(text[from-1]) {
		from--
	}
	space := text[from:]
	if space == "" || len(space) > 63 || strings.ContainsRune(space, '.') ||
		from > 0 && strings.IndexByte("/:@%_", text[from-1]) >= 0 {
		return ""
	}
	switch space {
	case "pod", "pods", "po", "log", "logs":
		return ""
	}
	return space
}

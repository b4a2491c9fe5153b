package foreign

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

// maxNames is how many node names are collected from objects.
const maxNames = 20_000

// maxLine is longer than a key with the longest possible node name.
const maxLine = 512

// nodeName matches where a pod says on which node it is, in JSON and YAML.
var nodeName = regexp.MustCompile(
	`"?(?:nodeName|kubernetes\.io/hostname)"?\s*:\s*"?([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)"?\s*,?\s*$`)

// names are the nodes that objects mention.
type names map[string]bool

// gather reads the names of nodes from a file of objects.
func (n names) gather(f evidence.File) {
	// That it cannot be read, its own reader reports.
	_ = part.Lines(f, func(line []byte, within bool) bool {
		line = line[max(0, len(line)-maxLine):] // the name ends the line
		if within || !bytes.Contains(line, []byte("nodeName")) && !bytes.Contains(line, []byte("kubernetes.io/hostname")) {
			return true // the expression is slow, and almost no line has the word
		}
		if m := nodeName.FindSubmatch(line); m != nil {
			n[string(m[1])] = true
		}
		return len(n) < maxNames
	})
}

// object adds the node's name from an object, whose lines need not be as kubectl prints them.
func (n names) object(raw []byte) {
	var o struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     struct{ NodeName string }
		Source   struct{ Component, Host string }
	}
	if json.Unmarshal(raw, &o) != nil || len(n) >= maxNames {
		return
	}
	for _, name := range []string{o.Spec.NodeName, map[string]string{"kubelet": o.Source.Host}[o.Source.Component],
		map[string]string{"Node": o.Metadata.Name}[o.Kind]} {
		if name != "" {
			n[name] = true
		}
	}
}

// of returns the node that a host is: the host itself if the objects know it, or else the only node whose name begins
// with the host's, because a journal has the short name where a cloud's node has the full one. An unknown host is
// returned unchanged.
func (n names) of(host string) string {
	host = strings.ToLower(host) // as the kubelet does
	if n[host] {
		return host
	}
	short, _, _ := strings.Cut(host, ".")
	var fit []string
	for name := range n {
		if first, _, _ := strings.Cut(name, "."); first == short {
			fit = append(fit, name)
		}
	}
	if len(fit) == 1 {
		return fit[0]
	}
	return host
}

// only returns the node, if there is just one.
func (n names) only() string {
	if len(n) != 1 {
		return ""
	}
	for name := range n {
		return name
	}
	return ""
}

// word reads a small file with one word, such as a host's name.
func word(f evidence.File) string {
	fields := strings.Fields(string(beginning(f, longHead)))
	if len(fields) == 0 || len(fields[0]) > 253 ||
		slices.ContainsFunc([]rune(fields[0]), func(r rune) bool { return r < '!' || r > '~' || r == '/' }) {
		return ""
	}
	return fields[0]
}

package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// filtered keeps what a search left of the logs (journalctl -g, grep): lines of one or two of the kubelet's source
// files, never those with kills, or one kind of the runtime's lines, or both.
func filtered(r *rand.Rand, t *target) (*variant, bool) {
	m := t.Machine.Clone()
	lost := 0
	keep := func(writer string, wanted func(string) bool) {
		m.Each(func(_ *machine.Log, l *machine.Line) {
			if l.Writer == writer && !wanted(l.Text) {
				l.Lost = true
				lost++
			}
		})
	}
	sources := map[string]bool{}
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if file := sourceFile(l); file != "" && !strings.HasPrefix(file, "kuberuntime_") {
			sources[file] = true
		}
	})
	how := []string{"kubelet", "runtime", "both"}[r.IntN(3)]
	var said []string
	if how != "runtime" && len(sources) > 0 {
		files := slices.Sorted(maps.Keys(sources))
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		files = files[:min(len(files), 1+r.IntN(2))]
		keep("kubelet", func(text string) bool {
			return slices.ContainsFunc(files, func(f string) bool { return strings.Contains(text, " "+f+":") })
		})
		said = append(said, files...)
	}
	if how != "kubelet" {
		word := []string{"TaskExit", "StartContainer", "CreateContainer", "RunPodSandbox"}[r.IntN(4)]
		keep("containerd", func(text string) bool { return strings.Contains(text, word) })
		said = append(said, word)
	}
	if lost == 0 {
		return nil, false
	}
	e := t.put(m)
	if r.IntN(2) == 0 {
		e.Files = maps.Clone(e.Files)
		delete(e.Files, "cluster/events.json")
	}
	return &variant{how: "only " + strings.Join(said, " and "), entry: e}, true
}

// sourceFile returns the file in the klog header of a kubelet's line, "" for other lines.
func sourceFile(l *machine.Line) string {
	if l.Writer != "kubelet" {
		return ""
	}
	head, _, _ := strings.Cut(l.Text, "]")
	file, _, _ := strings.Cut(head[strings.LastIndexByte(head, ' ')+1:], ":")
	if !strings.HasSuffix(file, ".go") {
		return ""
	}
	return file
}

package foreign

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// tree is one collection inside the input: a layout and the directory where it begins.
type tree struct {
	layout *layout
	root   string // with its slash, "" for the input itself
	files  []found
}

// found is a file of a tree.
type found struct {
	evidence.File
	rel []string // below the root
	use use
}

// trees finds the collections that files belong to; rest are the files outside of any, and those of an open layout that
// no rule of it names, unused is the number of useless files in one.
func trees(files []evidence.File) (all []*tree, rest []evidence.File, unused int) {
	all = recognise(files)
	for _, f := range files {
		t := owner(all, f.Path)
		if t == nil {
			rest = append(rest, f)
			continue
		}
		rel := strings.Split(strings.TrimPrefix(f.Path, t.root), "/")
		u := t.layout.useOf(rel)
		switch {
		case u == useNothing && t.layout.open && !ofContainers(f.Path):
			rest = append(rest, f)
			continue
		case u == useNothing:
			unused++
			continue
		}
		t.files = append(t.files, found{f, rel, u})
	}
	return all, rest, unused
}

// recognise searches for the marks of every layout.
func recognise(files []evidence.File) (all []*tree) {
	for i := range layouts {
		l := &layouts[i]
		seen := map[string]map[int]bool{} // root → marks
		for _, f := range files {
			segments := strings.Split(f.Path, "/")
			for m, mark := range l.marks {
				at := mark.Find(segments)
				if at < 0 {
					continue
				}
				root := strings.Join(segments[:at], "/")
				if at > 0 {
					root += "/"
				}
				if seen[root] == nil {
					seen[root] = map[int]bool{}
				}
				seen[root][m] = true
			}
		}
		var roots []string
		for root, marks := range seen {
			if len(marks) >= l.need && owner(all, root) == nil {
				roots = append(roots, root)
			}
		}
		slices.Sort(roots)
		for _, root := range roots {
			all = append(all, &tree{layout: l, root: root})
		}
	}
	return all
}

// owner returns the tree with the nearest root above a path.
func owner(all []*tree, path string) (best *tree) {
	for _, t := range all {
		if strings.HasPrefix(path, t.root) && (best == nil || len(t.root) > len(best.root)) {
			best = t
		}
	}
	return best
}

func (l *layout) useOf(rel []string) use {
	for _, r := range l.rules {
		if r.path.Match(rel) {
			return r.use
		}
	}
	return useNothing
}

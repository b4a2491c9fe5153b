package foreign

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// tree is one collection inside the input: a layout and the directory that it begins at.
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

// trees finds the collections that files are part of; rest are the files of none,
// unused those of a tree that are good for nothing.
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
		if u == useNothing {
			unused++
			continue
		}
		t.files = append(t.files, found{f, rel, u})
	}
	return all, rest, unused
}

// recognise looks for the marks of every layout.
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

// owner is the tree whose root is nearest above a path.
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

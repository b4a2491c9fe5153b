package docs

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mapLines is the maximum length of the map of the code: one sitting.
const mapLines = 150

// packages returns the directories with code, without those that their parent's row covers: families of causes, and
// internal packages of the test programs.
func packages(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err == nil && d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2) {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(root, file)
		dir := path.Dir(filepath.ToSlash(rel))
		program, _, within := strings.Cut(dir, "/internal/")
		kept := within && program != "test" && strings.HasPrefix(program, "test/")
		if path.Ext(name) == ".go" && !kept && path.Dir(dir) != "analyzer/internal/causes" {
			all[dir] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheMapIsShortAndNamesEveryPackage(t *testing.T) {
	text := read(t, "docs/CODEBASE.md")
	if n := strings.Count(text, "\n"); n > mapLines {
		t.Errorf("docs/CODEBASE.md has %d lines, want at most %d", n, mapLines)
	}
	all := packages(t)
	for dir := range all {
		if !regexp.MustCompile(`\b` + path.Base(dir) + `\b`).MatchString(text) {
			t.Errorf("docs/CODEBASE.md does not name %s", dir)
		}
	}
	named := regexp.MustCompile("`((?:cmd|diag|analyzer|tui|test|hack)/[a-z0-9/-]+)`").FindAllStringSubmatch(text, -1)
	if len(named) < len(all)/2 {
		t.Errorf("only %d packages named: the test sees too little", len(named))
	}
	for _, m := range named {
		if found, _ := filepath.Glob(filepath.Join(root, m[1])); len(found) == 0 {
			t.Errorf("docs/CODEBASE.md names %s, which is not there", m[1])
		}
	}
}

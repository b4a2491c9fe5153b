package hashdriver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/binaries"
)

// tree finds the packages of one release: in its own source, in the staging area that old releases carry with them, or
// in the modules that newer ones are published as.
type tree struct {
	ctx     context.Context
	release string
	root    string
	gomod   string            // of the release; old ones have none
	modules map[string]string // directories of modules already fetched
}

func newTree(ctx context.Context, release string) (*tree, error) {
	root, err := binaries.Download(ctx, kubernetes, release)
	if err != nil {
		return nil, err
	}
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return &tree{ctx, release, root, string(gomod), map[string]string{}}, nil
}

// ours are the modules whose declarations are copied; all others are ordinary requirements.
var ours = regexp.MustCompile(`^k8s\.io/[a-z-]+`)

func (t *tree) locate(path string) (string, error) {
	if inside, ok := strings.CutPrefix(path, kubernetes+"/"); ok {
		return filepath.Join(t.root, filepath.FromSlash(inside)), nil
	}
	module := ours.FindString(path)
	if module == "" {
		return "", nil
	}
	staged := filepath.Join(t.root, "staging", "src", filepath.FromSlash(module))
	if _, err := os.Stat(staged); err == nil {
		return filepath.Join(staged, filepath.FromSlash(strings.TrimPrefix(path, module))), nil
	}
	if t.modules[module] == "" {
		dir, err := binaries.Download(t.ctx, module, t.version(module))
		if err != nil {
			return "", err
		}
		t.modules[module] = dir
	}
	return filepath.Join(t.modules[module], filepath.FromSlash(strings.TrimPrefix(path, module))), nil
}

// of115 are the modules of 1.15.0, the first release without a staging area in its module. They were not numbered yet,
// and no patch of 1.15 changed what a container reaches.
var of115 = map[string]string{
	"k8s.io/api":          "v0.0.0-20190620084959-7cf5895f2711",
	"k8s.io/apimachinery": "v0.0.0-20190612205821-1799e75a0719",
}

func (t *tree) version(module string) string {
	if v := t.required(module); v != "" && v != "v0.0.0" {
		return v
	}
	if strings.HasPrefix(t.release, "v1.15.") {
		return of115[module]
	}
	return "v0." + strings.TrimPrefix(t.release, "v1.")
}

// required returns the version that the release's go.mod names for a module.
func (t *tree) required(module string) string {
	line := regexp.MustCompile(`(?m)^\s+` + regexp.QuoteMeta(module) + ` (v\S+)`).FindStringSubmatch(t.gomod)
	if line == nil {
		return ""
	}
	return line[1]
}

// libraries are the two modules that the reached code imports, in the versions for releases whose go.mod names none.
var libraries = map[string]string{"github.com/davecgh/go-spew": "v1.1.1", "gopkg.in/inf.v0": "v0.9.1"}

func (t *tree) moduleFile(outside []string) (string, error) {
	versions := map[string]string{}
	for _, path := range outside {
		for module, version := range libraries {
			if path == module || strings.HasPrefix(path, module+"/") {
				if v := t.required(module); v != "" {
					version = v
				}
				versions[module] = version
				path = ""
				break
			}
		}
		if path != "" {
			return "", fmt.Errorf("require %s: a module of no known version", path)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\ngo 1.21\n\n", modulePath)
	for _, module := range []string{"github.com/davecgh/go-spew", "gopkg.in/inf.v0"} {
		if v := versions[module]; v != "" {
			fmt.Fprintf(&b, "require %s %s\n", module, v)
		}
	}
	return b.String(), nil
}

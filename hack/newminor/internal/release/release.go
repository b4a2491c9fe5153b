// Package release gets the sources of a Kubernetes release from the Go module proxy, with the go command:
// k8s.io/kubernetes and the modules of the same release. It reports what is not available; the rest can be used.
//
// It may import apimachinery's versions and the standard library. It opens no source, and compares nothing.
package release

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// Main is the module without which there is no release.
const Main = "k8s.io/kubernetes"

// beside are the staging modules that tables need. v1.36.4 of Kubernetes is their v0.36.4.
var beside = []string{
	"k8s.io/api", "k8s.io/apiextensions-apiserver", "k8s.io/apimachinery", "k8s.io/apiserver", "k8s.io/client-go",
	"k8s.io/component-base", "k8s.io/component-helpers", "k8s.io/controller-manager", "k8s.io/kubelet",
}

// libraries are not part of Kubernetes: they define the types of loggers and flag sets, in the version that this module
// pins.
var libraries = []string{"github.com/go-logr/logr", "github.com/spf13/pflag", "k8s.io/klog/v2"}

// required are libraries in the version that a release requires: they define some of the kubelet's flags.
var required = []string{"github.com/google/cadvisor/lib"}

// Release is what could be fetched.
type Release struct {
	Version string
	Dirs    map[string]string // module path → folder
	Gaps    []string          // what is not available, and what is used instead
}

var form = regexp.MustCompile(`^v[01]\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// Parse reads v1.38.0-alpha.0.
func Parse(s string) (*version.Version, error) {
	if !form.MatchString(s) {
		return nil, fmt.Errorf("read version %q: want v1.MINOR.PATCH or v1.MINOR.PATCH-alpha.N", s)
	}
	return version.ParseSemantic(s)
}

// Compare orders versions that Parse accepts; a release comes after its pre-releases.
func Compare(a, b string) int {
	v, err := Parse(a)
	if err != nil {
		return -1
	}
	order, _ := v.Compare(b) // already parsed
	return order
}

// Staging returns the version of the staging modules.
func Staging(version string) string { return "v0." + strings.TrimPrefix(version, "v1.") }

// Fetch gets a release. It is an error only if k8s.io/kubernetes itself is not available.
func Fetch(ctx context.Context, version string) (Release, error) {
	if _, err := Parse(version); err != nil || !strings.HasPrefix(version, "v1.") {
		return Release{}, fmt.Errorf("fetch %q: want a version like v1.38.0 or v1.38.0-alpha.0", version)
	}
	r := Release{Version: version, Dirs: map[string]string{}}
	args := []string{Main + "@" + version}
	for _, m := range beside {
		args = append(args, m+"@"+Staging(version))
	}
	got, err := download(ctx, args...)
	if err != nil {
		return r, fmt.Errorf("fetch %s: %w", version, err)
	}
	for _, m := range got {
		if m.Error == "" {
			r.Dirs[m.Path] = m.Dir
			continue
		}
		if m.Path == Main {
			why, _, _ := strings.Cut(m.Error, "\n")
			return r, fmt.Errorf("fetch %s: %s", version, why)
		}
		r.Gaps = append(r.Gaps, r.instead(ctx, m.Path))
	}
	r.require(ctx)
	own, err := command(ctx, "", append([]string{"list", "-m", "-json"}, libraries...)...)
	if err != nil {
		return r, fmt.Errorf("find %s: %w", strings.Join(libraries, ", "), err)
	}
	list, err := decode(own)
	for _, m := range list {
		r.Dirs[m.Path] = m.Dir
	}
	return r, err
}

// require gets the libraries in the version of the release's go.mod; a library that it does not name is skipped.
func (r *Release) require(ctx context.Context) {
	out, err := command(ctx, r.Dirs[Main], "mod", "edit", "-json", "go.mod")
	var file struct{ Require []module }
	if err == nil {
		err = json.Unmarshal(out, &file)
	}
	if err != nil {
		r.Gaps = append(r.Gaps, fmt.Sprintf("read go.mod of %s: %v", r.Version, err))
		return
	}
	for _, m := range file.Require {
		if !slices.Contains(required, m.Path) {
			continue
		}
		got, err := download(ctx, m.Path+"@"+m.Version)
		if err != nil || len(got) != 1 || got[0].Error != "" {
			r.Gaps = append(r.Gaps, fmt.Sprintf("%s %s is not served", m.Path, m.Version))
			continue
		}
		r.Dirs[m.Path] = got[0].Dir
	}
}

// instead uses the last available patch of the same minor version, and says so.
func (r *Release) instead(ctx context.Context, path string) string {
	want, _ := Parse(Staging(r.Version)) // already parsed
	all, err := Served(ctx, path)
	if err != nil {
		return fmt.Sprintf("%s %s is not served: %v", path, Staging(r.Version), err)
	}
	for _, v := range slices.Backward(all) {
		if p, err := Parse(v); err != nil || p.Minor() != want.Minor() || p.PreRelease() != "" {
			continue
		}
		if got, err := download(ctx, path+"@"+v); err == nil && len(got) == 1 && got[0].Error == "" {
			r.Dirs[path] = got[0].Dir
			return fmt.Sprintf("%s %s is not served: %s was read", path, Staging(r.Version), v)
		}
	}
	return fmt.Sprintf("%s %s is not served, nor another patch of it", path, Staging(r.Version))
}

// Served returns the proxy's list of a module's versions, oldest first. It may lack some that are available.
func Served(ctx context.Context, path string) ([]string, error) {
	out, err := command(ctx, os.TempDir(), "list", "-m", "-versions", path)
	if err != nil {
		return nil, fmt.Errorf("list versions of %s: %w", path, err)
	}
	var all []string
	for _, word := range strings.Fields(string(out)) {
		if _, err := Parse(word); err == nil {
			all = append(all, word)
		}
	}
	slices.SortFunc(all, Compare)
	return all, nil
}

// tries is how many of the newest versions are tried: the lists name some whose source is not available.
const tries = 6

// Newest returns the newest versions in the proxy's lists, newest first. It also uses the list of k8s.io/api, which is
// often ahead. stable leaves out pre-releases.
func Newest(ctx context.Context, stable bool) ([]string, error) {
	var all []string
	for _, path := range []string{Main, "k8s.io/api"} {
		served, err := Served(ctx, path)
		if err != nil {
			return nil, err
		}
		for _, s := range served {
			if strings.HasPrefix(s, "v0.") == (path != Main) && !(stable && strings.Contains(s, "-")) {
				all = append(all, "v1."+s[len("v1."):])
			}
		}
	}
	if len(all) == 0 {
		return nil, errors.New("list versions of Kubernetes: the proxy names none")
	}
	slices.SortFunc(all, func(a, b string) int { return Compare(b, a) })
	all = slices.Compact(all)
	return all[:min(tries, len(all))], nil
}

type module struct{ Path, Version, Dir, Error string }

func download(ctx context.Context, args ...string) ([]module, error) {
	out, err := command(ctx, os.TempDir(), append([]string{"mod", "download", "-json"}, args...)...)
	list, bad := decode(out)
	if len(list) == 0 && err != nil {
		return nil, err
	}
	return list, bad
}

func decode(out []byte) ([]module, error) {
	var list []module
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var m module
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return list, fmt.Errorf("read what go said of modules: %w", err)
		}
		list = append(list, m)
	}
}

func command(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return out, fmt.Errorf("go %s: %w: %s", strings.Join(args[:2], " "), err, said)
	}
	return out, nil
}

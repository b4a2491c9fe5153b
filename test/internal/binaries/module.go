package binaries

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// kubernetesModule is the module with every cmd/ of Kubernetes.
const kubernetesModule = "k8s.io/kubernetes"

// unreleased is the version that Kubernetes' own go.mod uses for the modules of its staging directory: they are
// published separately, as v0.<minor>.<patch>.
const unreleased = "v0.0.0"

// requirement is one line of a require block.
type requirement struct {
	Path    string
	Version string
}

// upstreamModule is the part of `go mod edit -json` that the lab reads.
type upstreamModule struct {
	Require []requirement
}

// parseModule reads the output of `go mod edit -json`.
func parseModule(editJSON []byte) (upstreamModule, error) {
	var m upstreamModule
	if err := json.Unmarshal(editJSON, &m); err != nil {
		return upstreamModule{}, fmt.Errorf("parse go.mod as json: %w", err)
	}
	return m, nil
}

// stagingVersion turns a release such as v1.30.14 into the version of its
// staging modules, v0.30.14.
func stagingVersion(release string) (string, error) {
	rest, ok := strings.CutPrefix(release, "v1.")
	if !ok || strings.Count(rest, ".") != 1 {
		return "", fmt.Errorf("read version %q: want v1.<minor>.<patch>", release)
	}
	return "v0." + rest, nil
}

// moduleFile writes the go.mod of a temporary module that can build the programs of one Kubernetes release. Kubernetes
// replaces its staging modules with directories, which does not work for a module that is only required. So each of
// them is pinned to the version published for the release or, if that is unavailable, to its neighbour (instead).
//
// The sample-* modules are replaced by an empty directory: no program imports them, they are most often missing from a
// mirror, and yet the module graph of older releases needs to read them.
func moduleFile(up upstreamModule, release string) (string, error) {
	staging, err := stagingVersion(release)
	if err != nil {
		return "", err
	}
	required := map[string]string{kubernetesModule: release}
	replacements := map[string]string{}
	for _, r := range up.Require {
		switch {
		case strings.HasPrefix(r.Path, "k8s.io/sample-"):
			required[r.Path] = r.Version
			replacements[r.Path] = "./" + emptyModule(r.Path)
		case r.Version == unreleased && strings.HasPrefix(r.Path, "k8s.io/"):
			version := stagingOf(r.Path, release, staging)
			required[r.Path] = version
			// A replacement, and not only a requirement, because other modules of the graph name newer staging
			// versions, which would win by minimal version selection.
			replacements[r.Path] = r.Path + " " + version
		default:
			required[r.Path] = r.Version
		}
	}

	var b strings.Builder
	b.WriteString("module lab.local/build\n\ngo 1.21\n\nrequire (\n")
	for _, p := range slices.Sorted(maps.Keys(required)) {
		fmt.Fprintf(&b, "\t%s %s\n", p, required[p])
	}
	b.WriteString(")\n")
	for _, p := range slices.Sorted(maps.Keys(replacements)) {
		fmt.Fprintf(&b, "\nreplace %s => %s", p, replacements[p])
	}
	b.WriteString("\n")
	return b.String(), nil
}

func emptyModule(path string) string { return "empty/" + strings.TrimPrefix(path, "k8s.io/") }

// emptyModules maps the go.mod of every empty module to its content.
func emptyModules(up upstreamModule) map[string]string {
	out := map[string]string{}
	for _, r := range up.Require {
		if strings.HasPrefix(r.Path, "k8s.io/sample-") {
			out[emptyModule(r.Path)+"/go.mod"] = "module " + r.Path + "\n"
		}
	}
	return out
}

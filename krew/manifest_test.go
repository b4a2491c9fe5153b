// Package krew_test holds the Krew manifest to the rules by which the index
// accepts it. The manifest is data; no code of the project is imported here.
package krew_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const manifestFile = "restartwhy.yaml"

// manifest is a Krew plugin manifest (krew v0.5.0 pkg/index/types.go).
type manifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string     `json:"version"`
		Homepage         string     `json:"homepage"`
		ShortDescription string     `json:"shortDescription"`
		Description      string     `json:"description"`
		Caveats          string     `json:"caveats"`
		Platforms        []platform `json:"platforms"`
	} `json:"spec"`
}

type platform struct {
	Selector struct {
		MatchLabels map[string]string `json:"matchLabels"`
	} `json:"selector"`
	URI    string `json:"uri"`
	SHA256 string `json:"sha256"`
	Files  []struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"files"`
	Bin string `json:"bin"`
}

func (p platform) pair() string {
	return p.Selector.MatchLabels["os"] + "/" + p.Selector.MatchLabels["arch"]
}

// supported are the pairs for which Krew itself exists.
var supported = []string{
	"darwin/386", "darwin/amd64", "darwin/arm64", "linux/386", "linux/amd64", "linux/arm", "linux/arm64", "linux/ppc64le",
	"windows/386", "windows/amd64", "windows/arm64",
}

var (
	nameRule    = regexp.MustCompile(`^[\w-]+$`)
	shaRule     = regexp.MustCompile(`^[a-f0-9]{64}$`)
	versionRule = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)
	licenceRule = regexp.MustCompile(`^(LICENSE|COPYING)(\.txt|\.md)?$`)
)

// render fills the template in as krew-release-bot does, with a made-up digest.
func render(text, tag string) ([]byte, error) {
	fill := func(name, text string, funcs template.FuncMap, tag string) (string, error) {
		t, err := template.New(name).Funcs(funcs).Option("missingkey=error").Parse(text)
		if err != nil {
			return "", fmt.Errorf("parse %s: %w", name, err)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, map[string]string{"TagName": tag}); err != nil {
			return "", fmt.Errorf("fill in %s: %w", name, err)
		}
		return b.String(), nil
	}
	funcs := template.FuncMap{"addURIAndSha": func(url, tag string) (string, error) {
		url, err := fill("url", url, nil, tag)
		return fmt.Sprintf("uri: %s\n    sha256: %x", url, sha256.Sum256([]byte(url))), err
	}}
	out, err := fill(manifestFile, text, funcs, tag)
	return []byte(out), err
}

// check returns what the index would refuse. A field that Krew does not know is
// refused as well, because it is ignored silently there.
func check(rendered []byte) (broken []string) {
	refuse := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	var m manifest
	if err := yaml.UnmarshalStrict(rendered, &m); err != nil {
		return []string{"the manifest is not valid: " + err.Error()}
	}
	if m.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || m.Kind != "Plugin" {
		refuse("it is a %s %s", m.APIVersion, m.Kind)
	}
	if m.Metadata.Name+".yaml" != manifestFile || !nameRule.MatchString(m.Metadata.Name) {
		refuse("the name %q does not match the file %s", m.Metadata.Name, manifestFile)
	}
	if !versionRule.MatchString(m.Spec.Version) {
		refuse("the version %q is not semantic with a v", m.Spec.Version)
	}
	if s := m.Spec.ShortDescription; s == "" || len(s) > 50 || strings.ContainsAny(s, "\r\n") {
		refuse("the short description is not one line of at most 50 characters: %q", s)
	}
	if m.Spec.Description == "" || m.Spec.Homepage == "" {
		refuse("the description or the homepage is missing")
	}
	if len(m.Spec.Platforms) == 0 {
		refuse("there is no platform")
	}
	seen := map[string]bool{}
	for _, p := range m.Spec.Platforms {
		if len(p.Selector.MatchLabels) != 2 || !slices.Contains(supported, p.pair()) {
			refuse("the selector %v matches no platform of Krew", p.Selector.MatchLabels)
		}
		if seen[p.pair()] {
			refuse("%s is selected twice", p.pair())
		}
		seen[p.pair()] = true
		for _, problem := range p.check(m.Spec.Version) {
			refuse("%s: %s", p.pair(), problem)
		}
	}
	return broken
}

func (p platform) check(version string) (broken []string) {
	refuse := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	exe, ext := "", ".tar.gz"
	if p.Selector.MatchLabels["os"] == "windows" {
		exe, ext = ".exe", ".zip"
	}
	if !shaRule.MatchString(p.SHA256) {
		refuse("the digest %q is not 64 lower-case hex digits", p.SHA256)
	}
	want := "kubectl-restartwhy_" + version + "_" + strings.ReplaceAll(p.pair(), "/", "_") + ext
	if !strings.HasPrefix(p.URI, "https://github.com/restartwhy/kubectl-restartwhy/releases/download/"+version+"/") ||
		path.Base(p.URI) != want {
		refuse("the archive %s is not %s of release %s", p.URI, want, version)
	}
	if p.Bin != "kubectl-restartwhy"+exe {
		refuse("the binary is %q", p.Bin)
	}
	licence, binary := false, false
	for _, f := range p.Files {
		licence = licence || licenceRule.MatchString(f.From)
		binary = binary || f.From == p.Bin
		if f.To != "." || strings.Contains(f.From, "..") || strings.HasPrefix(f.From, "/") {
			refuse("the file %s goes to %s", f.From, f.To)
		}
	}
	if !licence || !binary {
		refuse("the files do not hold both the binary and the licence: %v", p.Files)
	}
	return broken
}

func source(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(manifestFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTheManifestKeepsTheRulesOfTheIndex(t *testing.T) {
	for _, tag := range []string{"v0.1.0", "v1.22.333", "v1.0.0-rc.1"} {
		out, err := render(source(t), tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range check(out) {
			t.Errorf("%s: %s", tag, broken)
		}
	}
}

func TestTheManifestNamesEveryPlatformThatIsReleased(t *testing.T) {
	out, err := render(source(t), "v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := yaml.UnmarshalStrict(out, &m); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range m.Spec.Platforms {
		got = append(got, p.pair())
	}
	slices.Sort(got)
	want := []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm",
		"linux/arm64", "windows/amd64", "windows/arm64"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("platforms (-want +got):\n%s", d)
	}
}

func TestTheLicenceThatTheArchivesInstallExists(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "LICENSE")); err != nil {
		t.Error(err)
	}
}

// Each mutation breaks one rule of the manifest, and the check must see it.
func TestEveryRuleIsChecked(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, want string }{
		"another plugin's name": {"name: restartwhy", "name: restart-why", "does not match the file"},
		"a version without a v": {"version: {{ .TagName }}", "version: 0.1.0", "is not semantic"},
		"an old API version":    {"v1alpha2", "v1alpha1", "it is a"},
		"a long short description": {"Name the root cause of every container restart",
			strings.Repeat("why ", 20), "at most 50"},
		"two lines":               {"shortDescription: Name", "shortDescription: |\n    Name\n    ", "one line"},
		"an unknown field":        {"kind: Plugin", "kind: Plugin\nfoo: bar", "unknown field"},
		"a platform twice":        {"arch: arm\n", "arch: arm64\n", "selected twice"},
		"a platform Krew has not": {"arch: arm\n", "arch: s390x\n", "matches no platform"},
		"another selector":        {"arch: arm\n", "arch: arm\n        libc: musl\n", "matches no platform"},
		"an archive of another one": {"_linux_arm.tar.gz", "_linux_arm64.tar.gz",
			"is not kubectl-restartwhy_v0.1.0_linux_arm.tar.gz"},
		"an archive Krew cannot read": {"_linux_arm.tar.gz", "_linux_arm.tar.zst", "linux/arm: the archive"},
		"no licence":                  {"from: LICENSE", "from: README.md", "and the licence"},
		"a path out of the archive":   {"from: LICENSE", "from: ../LICENSE", "goes to"},
		"a binary without .exe": {"bin: kubectl-restartwhy.exe", "bin: kubectl-restartwhy",
			"windows/amd64: the binary"},
		"a cut digest": {`_linux_arm.tar.gz" .TagName }}`, `_linux_arm.tar.gz" .TagName | printf "%.180s" }}`, "is not 64"},
	} {
		text := source(t)
		if !strings.Contains(text, tt.old) {
			t.Fatalf("%s: the manifest does not hold %q", name, tt.old)
		}
		out, err := render(strings.ReplaceAll(text, tt.old, tt.new), "v0.1.0")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(check(out), "\n"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: the check says %q, want %q", name, got, tt.want)
		}
	}
}

// Package release tests the configuration of releases: actions are pinned, jobs have no right that they do not need,
// what make builds is what is published. It reads files and runs nothing.
package release

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// step, job and workflow are the parts of GitHub's workflows that the tests read.
type step struct {
	Uses string            `json:"uses"`
	Run  string            `json:"run"`
	With map[string]any    `json:"with"`
	Env  map[string]string `json:"env"`
}

type job struct {
	Permissions map[string]string `json:"permissions"`
	Needs       any               `json:"needs"`
	Timeout     int               `json:"timeout-minutes"`
	Steps       []step            `json:"steps"`
}

type workflow struct {
	Permissions *map[string]string `json:"permissions"`
	Env         map[string]string  `json:"env"`
	Jobs        map[string]job     `json:"jobs"`
}

const (
	ci      = ".github/workflows/ci.yaml"
	release = ".github/workflows/release.yaml"

	newMinor = ".github/workflows/new-minor.yaml"
)

func parse(t *testing.T, text string) (w workflow) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// mayWrite lists every write permission of a job, all of which the job needs.
var mayWrite = map[string][]string{"publish": {"attestations", "contents", "id-token", "packages"}}

var (
	usesLine = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (\S+)(.*)$`)
	byCommit = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	version  = regexp.MustCompile(`^ # v\d+\.\d+\.\d+$`)
	makeCall = regexp.MustCompile(`(?m)\bmake ([a-z][a-z-]*)`)
	target   = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)
)

// faults lists what breaks a rule in a workflow.
func faults(t *testing.T, text, makefile string) (all []string) {
	t.Helper()
	say := func(words ...string) { all = append(all, strings.Join(words, " ")) }
	pins := map[string]string{}
	for _, m := range usesLine.FindAllStringSubmatch(text, -1) {
		switch {
		case !byCommit.MatchString(m[1]):
			say(m[1], "is not pinned by a commit")
		case !version.MatchString(m[2]):
			say(m[1], "does not say which version it is")
		}
		name, _, _ := strings.Cut(m[1], "@")
		if before := pins[name]; before != "" && before != m[0][strings.Index(m[0], "uses"):] {
			say(name, "is pinned twice, and not to the same")
		}
		pins[name] = m[0][strings.Index(m[0], "uses"):]
	}
	w := parse(t, text)
	if w.Permissions == nil || len(*w.Permissions) > 0 {
		say("the workflow has rights of its own")
	}
	targets := map[string]bool{}
	for _, m := range target.FindAllStringSubmatch(makefile, -1) {
		targets[m[1]] = true
	}
	for name, j := range w.Jobs {
		if j.Permissions == nil {
			say(name, "does not name its rights")
		}
		if j.Timeout == 0 {
			say(name, "has no time limit")
		}
		for right, level := range j.Permissions {
			if level == "write" && !slices.Contains(mayWrite[name], right) {
				say(name, "may write", right)
			}
		}
		for _, s := range j.Steps {
			if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
				say(name, "leaves its token in the checkout")
			}
			if strings.Contains(s.Run, "${{") {
				say(name, "pastes an expression into a shell")
			}
			for _, m := range makeCall.FindAllStringSubmatch(s.Run, -1) {
				if !targets[m[1]] {
					say("make has no target", m[1])
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

func TestTheWorkflowsKeepTheirRules(t *testing.T) {
	for _, name := range []string{ci, release, newMinor} {
		for _, fault := range faults(t, read(t, name), read(t, "Makefile")) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func TestABrokenRuleOfAWorkflowIsFound(t *testing.T) {
	good := read(t, release)
	for want, change := range map[string]struct{ old, new string }{
		"is not pinned by a commit": {"setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0",
			"setup-go@v7"},
		"does not say which version it is":      {" # v4.1.2", ""},
		"is pinned twice, and not to the same":  {"303e # v7.0.0", "303e # v7.0.1"},
		"the workflow has rights of its own":    {"permissions: {}", "permissions: {contents: write}"},
		"test does not name its rights":         {"    permissions:\n      contents: read\n", ""},
		"test may write contents":               {"      contents: read\n", "      contents: write\n"},
		"test has no time limit":                {"    timeout-minutes: 40\n", ""},
		"test leaves its token in the checkout": {"        persist-credentials: false\n", ""},
		"pastes an expression into a shell":     {"run: make test", "run: make test TAG=${{ github.ref_name }}"},
		"make has no target tset":               {"run: make test", "run: make tset"},
	} {
		if !strings.Contains(good, change.old) {
			t.Fatalf("%s: the workflow does not hold %q", want, change.old)
		}
		changed := strings.Replace(good, change.old, change.new, 1)
		// A checkout without arguments keeps an empty "with:".
		if got := strings.Join(faults(t, changed, read(t, "Makefile")), "\n"); !strings.Contains(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

// What one job has proven is worthless if another compiler builds the release.
func TestTheWorkflowsBuildWithOneCompiler(t *testing.T) {
	one := parse(t, read(t, ci))
	for _, name := range []string{release, newMinor} {
		if d := cmp.Diff(one.Env, parse(t, read(t, name)).Env); d != "" {
			t.Errorf("ci and %s build differently:\n%s", name, d)
		}
	}
	required := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	if got := one.Env["GO_VERSION"]; !strings.HasPrefix(got, required+".") {
		t.Errorf("go.mod wants Go %s, the workflows build with %q", required, got)
	}
	if one.Env["GOTOOLCHAIN"] != "local" {
		t.Error("another compiler may be loaded while building")
	}
}

func TestNothingIsPublishedBeforeItIsTestedTwiceBuiltAndInstalled(t *testing.T) {
	w := parse(t, read(t, release))
	if d := cmp.Diff(any([]any{"test", "reproducible"}), w.Jobs["publish"].Needs); d != "" {
		t.Errorf("publish needs (-want +got):\n%s", d)
	}
	if w.Jobs["krew"].Needs != "publish" {
		t.Errorf("krew needs %v", w.Jobs["krew"].Needs)
	}
	// The order of steps: later ones rely on earlier ones.
	var order []string
	for _, s := range w.Jobs["publish"].Steps {
		order = append(order, s.Uses+s.Run)
	}
	last := -1
	for _, want := range []string{"make image", "make krew-check", "spdx-json",
		"goreleaser-action", "skopeo copy", "attest-build-provenance", "--draft=false"} {
		at := slices.IndexFunc(order, func(s string) bool { return strings.Contains(s, want) })
		if at <= last {
			t.Errorf("%s is step %d, after step %d", want, at, last)
		}
		last = at
	}
}

// files are what a release of GoReleaser adds.
type files []struct {
	Glob string `json:"glob"`
}

func (f files) match(t *testing.T, name string) bool {
	t.Helper()
	return slices.ContainsFunc(f, func(g struct {
		Glob string `json:"glob"`
	}) bool {
		ok, err := filepath.Match(strings.TrimPrefix(g.Glob, "./"), name)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	})
}

func TestGoReleaserPublishesWhatMakeBuilt(t *testing.T) {
	var c struct {
		Version int              `json:"version"`
		Dist    string           `json:"dist"`
		Builds  []map[string]any `json:"builds"`
		Sum     struct {
			Name  string `json:"name_template"`
			Extra files  `json:"extra_files"`
		} `json:"checksum"`
		Signs []struct {
			Artifacts string   `json:"artifacts"`
			Args      []string `json:"args"`
		} `json:"signs"`
		Release struct {
			Draft bool  `json:"draft"`
			Extra files `json:"extra_files"`
		} `json:"release"`
	}
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]map[string]any{{"skip": true}}, c.Builds); d != "" {
		t.Errorf("GoReleaser builds something itself:\n%s", d)
	}
	if strings.HasPrefix(c.Dist+"/", "dist/") {
		t.Errorf("GoReleaser empties %s, where make dist writes to", c.Dist)
	}
	if c.Version != 2 || c.Sum.Name != "checksums.txt" || !c.Release.Draft ||
		len(c.Signs) != 1 || c.Signs[0].Artifacts != "checksum" ||
		!slices.Contains(c.Signs[0].Args, "--bundle=${signature}") {
		t.Errorf("the configuration is not what docs/RELEASING.md says: %+v", c)
	}
	// Every archive in the Krew manifest, and the files that belong to it.
	names := []string{"dist/kubectl-restartwhy-image.tar", "dist/restartwhy.yaml", "dist/restartwhy.rb"}
	for _, m := range regexp.MustCompile(`download/\{\{ .TagName }}/(kubectl-restartwhy_[^"]+)"`).FindAllStringSubmatch(
		read(t, "krew/restartwhy.yaml"), -1) {
		archive := "dist/" + strings.ReplaceAll(m[1], "{{ .TagName }}", "v0.1.0")
		names = append(names, archive, archive+".spdx.json")
	}
	if len(names) < 10 {
		t.Fatalf("only %d files found: the test sees too little", len(names))
	}
	for _, name := range names {
		if !c.Sum.Extra.match(t, name) || !c.Release.Extra.match(t, name) {
			t.Errorf("%s is not published with a checksum", name)
		}
	}
	if !c.Release.Extra.match(t, "dist/kubectl-restartwhy-image.ref") {
		t.Error("the image's digest is not published")
	}
	if c.Release.Extra.match(t, "dist/checksums.txt") {
		t.Error("two files of the release are called checksums.txt")
	}
}

func TestEveryPinnedVersionIsWatched(t *testing.T) {
	text := read(t, ".github/dependabot.yml")
	for _, want := range []string{"github-actions", "gomod", "/hack/tools", "/hack/krewtools"} {
		if !strings.Contains(text, want) {
			t.Errorf("dependabot does not look after %s", want)
		}
	}
}

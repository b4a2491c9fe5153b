package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"text/template"
)

// sum matches the call with which krew-release-bot's template requests an archive's address and digest, on its own
// line.
var sum = regexp.MustCompile(`(?m)^ *\{\{ addURIAndSha "([^"]+)" \.TagName \}\}$`)

const tag = "{{ .TagName }}"

// item is the beginning of a platform in the manifest.
const item = "  - selector:\n"

// only removes the platforms without an archive from a template.
func only(template, version string, sums map[string]string) string {
	parts := strings.Split(template, item)
	out := parts[:1]
	for _, part := range parts[1:] {
		m := sum.FindStringSubmatch(part)
		if m == nil || sums[path.Base(strings.ReplaceAll(m[1], tag, version))] != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, item)
}

// fill fills in a template: Krew's as krew-release-bot does (it writes two lines with an indent of four spaces), from
// the local archives instead of those of a release, and Homebrew's, which asks for digests by the names of archives.
func fill(source, version string, sums map[string]string) (string, error) {
	digest := func(name string) (string, error) {
		name = strings.ReplaceAll(name, tag, version)
		if sums[path.Base(name)] == "" {
			return "", fmt.Errorf("there is no archive %s", path.Base(name))
		}
		return sums[path.Base(name)], nil
	}
	t, err := template.New("").Funcs(template.FuncMap{
		"digest": digest,
		"addURIAndSha": func(url, version string) (string, error) {
			is, err := digest(url)
			return "uri: " + strings.ReplaceAll(url, tag, version) + "\n    sha256: " + is, err
		},
	}).Parse(source)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, struct{ TagName, Version string }{version, strings.TrimPrefix(version, "v")})
	return out.String(), err
}

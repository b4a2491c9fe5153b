package main

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// sum matches the call with which krew-release-bot's template requests an archive's address and digest, on its own
// line.
var sum = regexp.MustCompile(`(?m)^( *)\{\{ addURIAndSha "([^"]+)" \.TagName \}\}$`)

const tag = "{{ .TagName }}"

// digest matches the call with which the Homebrew formula requests an archive's digest.
var digest = regexp.MustCompile(`\{\{ digest "([^"]+)" \}\}`)

func formula(template, version string, sums map[string]string) (string, error) {
	var missing []error
	out := strings.ReplaceAll(template, tag, version)
	out = strings.ReplaceAll(out, "{{ .Version }}", strings.TrimPrefix(version, "v"))
	out = digest.ReplaceAllStringFunc(out, func(call string) string {
		name := digest.FindStringSubmatch(call)[1]
		if sums[name] == "" {
			missing = append(missing, fmt.Errorf("there is no archive %s", name))
		}
		return sums[name]
	})
	if strings.Contains(out, "{{") {
		missing = append(missing, errors.New("it asks for more than the tag and the archives"))
	}
	return out, errors.Join(missing...)
}

// item is the beginning of a platform in the manifest.
const item = "  - selector:\n"

// only removes the platforms without an archive from a template.
func only(template, version string, sums map[string]string) string {
	parts := strings.Split(template, item)
	out := parts[:1]
	for _, part := range parts[1:] {
		m := sum.FindStringSubmatch(part)
		if m == nil || sums[path.Base(strings.ReplaceAll(m[2], tag, version))] != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, item)
}

// fill fills in the template as krew-release-bot does (it writes two lines with an indent of four spaces), from the
// local archives instead of those of a release.
func fill(template, version string, sums map[string]string) (string, error) {
	var missing []error
	out := sum.ReplaceAllStringFunc(template, func(call string) string {
		m := sum.FindStringSubmatch(call)
		url := strings.ReplaceAll(m[2], tag, version)
		digest := sums[path.Base(url)]
		if digest == "" {
			missing = append(missing, fmt.Errorf("there is no archive %s", path.Base(url)))
		}
		return m[1] + "uri: " + url + "\n" + m[1] + "sha256: " + digest
	})
	out = strings.ReplaceAll(out, tag, version)
	if strings.Contains(out, "{{") {
		missing = append(missing, errors.New("it asks for more than the tag and the archives"))
	}
	return out, errors.Join(missing...)
}

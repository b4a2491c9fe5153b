package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/test/recall/ends"
)

// result is the result for one log.
type result struct {
	name                  string
	ended, found, unnamed int
	missing               []string
}

// now is later than every recording.
var now = time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)

func all(recorded string) ([]result, error) {
	var out []result
	bundles, err := filepath.Glob(filepath.Join(recorded, "*.tar.zst"))
	if err != nil {
		return nil, err
	}
	for _, path := range bundles {
		b, err := bundle.Open(path, bundle.Options{Now: now})
		if err != nil {
			return nil, err
		}
		boxes, err := sandboxes(b.Files)
		if err != nil {
			return nil, err
		}
		for _, f := range b.Files {
			if !strings.Contains(f.Path, "kubelet") || strings.HasSuffix(f.Path, ".json") {
				continue
			}
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			text, err := io.ReadAll(r)
			if err != nil {
				return nil, err
			}
			one, err := judge(filepath.Base(path)+" "+f.Path, messages(text), boxes)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		if err := b.Close(); err != nil {
			return nil, err
		}
	}
	for _, g := range generated() {
		one, err := judge(g.name, []byte(g.text), nil)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// sandboxID matches where a runtime says that an id is a sandbox's.
var sandboxID = regexp.MustCompile(`(?i)sandbox(?:_?id| id)?\\?"?[:= ]+\\?"?([0-9a-f]{64})`)

// sandboxes returns the ids that the rest of a bundle knows as sandboxes': PLEG did not distinguish them before 1.22.
func sandboxes(files []evidence.File) (map[string]bool, error) {
	all := map[string]bool{}
	for _, f := range files {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		for _, m := range sandboxID.FindAllSubmatch(text, -1) {
			all[string(m[1])] = true
		}
	}
	return all, nil
}

// message finds the messages in a journal's export: the log as the kubelet wrote it.
var message = regexp.MustCompile(`(?m)^MESSAGE=(.*)$`)

func messages(export []byte) []byte {
	if !bytes.Contains(export, []byte("__REALTIME_TIMESTAMP=")) {
		return export
	}
	var out bytes.Buffer
	for _, m := range message.FindAllSubmatch(export, -1) {
		out.Write(append(m[1], '\n'))
	}
	return out.Bytes()
}

var unnamedGap = regexp.MustCompile(`^(\d+) containers? ended that the log does not name`)

// judge compares both readers on one log, which is the only evidence.
func judge(name string, text []byte, boxes map[string]bool) (result, error) {
	r := result{name: name}
	count, err := ends.Of(bytes.NewReader(text))
	if err != nil {
		return r, fmt.Errorf("count ends of %s: %w", name, err)
	}
	b, _, err := foreign.Open("-", "", bundle.Options{Stdin: bytes.NewReader(text), Now: now})
	if err != nil {
		return r, err
	}
	defer func() { _ = b.Close() }() // read only
	yield := diag.Load(b, apiobject.Hasher{})
	report := analyzer.Analyze(diag.Observe(yield, now), analyzer.Options{GeneratedAt: now})
	items := map[string]bool{}
	for _, it := range report.Items {
		if it.From != nil {
			items[it.From.ContainerID] = true
		}
	}
	for id := range count.Ended {
		if boxes[id] {
			delete(count.Ended, id)
		} else if items[id] {
			r.found++
		} else {
			r.missing = append(r.missing, id)
		}
	}
	r.ended = len(count.Ended)
	for _, g := range report.Gaps {
		if m := unnamedGap.FindStringSubmatch(g.Why); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return r, err
			}
			r.unnamed += n
		}
	}
	return r, nil
}

// Package inventory holds what tables need to know about one Kubernetes release: names, stages, texts that users see,
// and fingerprints of functions; never upstream's source. One release is one compressed file of sorted JSON: the same
// source gives the same bytes.
//
// It may import the standard library. It does not know how sources are read.
package inventory

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Inventory is one release.
type Inventory struct {
	Version string   `json:"version"` // v1.37.1
	Gaps    []string `json:"gaps,omitempty"`

	// Binary is the minor version that the release uses to choose a gate's stage: "1.37" (component-base/version
	// DefaultKubeBinaryVersion), "" before 1.31.
	Binary string `json:"binary,omitempty"`
	// Gates, by name: of pkg/features, apiserver, apiextensions-apiserver, client-go and component-base.
	Gates map[string][]Stage `json:"gates"`
	// Flags of the kubelet, sorted.
	Flags []string `json:"flags"`
	// Config is KubeletConfiguration v1beta1: name in YAML → type and default.
	Config map[string]Field `json:"config"`
	Logs   []Log            `json:"logs"`
	Events []Event          `json:"events"`
	// Reasons are the constants of pkg/kubelet/events.
	Reasons []string `json:"reasons"`
	// Errors are the formats of errors that the packages in read.errorPackages create, by file.
	Errors map[string][]string `json:"errors"`
	// Print are the types in the print of an internal Pod (static pod UIDs), Container those of the API's Container
	// (hashes up to 1.30).
	Print     map[string]Type `json:"print"`
	Container map[string]Type `json:"container"`
	// Functions that we model, by "package.Receiver.Name".
	Functions map[string]Function `json:"functions"`
}

// Stage is a gate's stage from a minor version on.
type Stage struct {
	Since   string `json:"since,omitempty"` // "1.31"; "" if the source names no version (before 1.31)
	Stage   string `json:"stage"`           // ALPHA, BETA, "" for GA, DEPRECATED
	Default bool   `json:"default"`
	Locked  bool   `json:"locked,omitempty"`
}

// Field of the configuration. Default is "" if none is set, "?" if it is computed at run time.
type Field struct {
	Type    string `json:"type"`
	Default string `json:"default,omitempty"`
}

// Log is one log call.
type Log struct {
	File     string   `json:"file"`           // below pkg/kubelet; "cmd/…", "component-base/…" elsewhere
	Severity string   `json:"severity"`       // I, W, E, F
	V        int      `json:"v"`              // -1 if the call names no verbosity
	Style    string   `json:"style"`          // f printed, S structured, H HandleError
	Text     string   `json:"text"`           // message or format
	Keys     []string `json:"keys,omitempty"` // "?" if a key is not a constant
}

// Event is one call that records an event.
type Event struct {
	File   string `json:"file"`
	Type   string `json:"type"` // Normal, Warning
	Reason string `json:"reason"`
	Text   string `json:"text"` // "" if it is computed
}

// Type is a struct: its fields with their types, in order.
type Type struct {
	// Always: it is in every pod's print.
	Always bool     `json:"always,omitempty"`
	Fields []string `json:"fields"` // "Name Type", for the API's types "Name Type `json`"
}

// Function is what is known about a function, a variable or a constant.
type Function struct {
	File string `json:"file"` // with the package: pkg/kubelet/kuberuntime/kuberuntime_manager.go
	Line int    `json:"line"`
	// Hash of the whole, and of the whole without log calls: 16 hex digits of SHA-256 over the syntax tree.
	Hash  string   `json:"hash"`
	Quiet string   `json:"quiet"`
	Calls []string `json:"calls,omitempty"`
	Texts []string `json:"texts,omitempty"`
}

// Write compresses an inventory; the bytes depend only on its content.
func (i *Inventory) Write(file string) error {
	text, err := json.Marshal(i)
	if err != nil {
		return fmt.Errorf("write inventory %s: %w", i.Version, err)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(text)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.WriteFile(file, b.Bytes(), 0o644) //nolint:gosec // public data of a source tree
	}
	if err != nil {
		return fmt.Errorf("write inventory %s: %w", i.Version, err)
	}
	return nil
}

// Read opens an inventory.
func Read(file string) (*Inventory, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read inventory: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read inventory %s: %w", file, err)
	}
	text, err := io.ReadAll(io.LimitReader(z, 64<<20))
	if err != nil {
		return nil, fmt.Errorf("read inventory %s: %w", file, err)
	}
	var i Inventory
	if err := json.Unmarshal(text, &i); err != nil {
		return nil, fmt.Errorf("read inventory %s: %w", file, err)
	}
	return &i, nil
}

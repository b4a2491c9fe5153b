// Package manifest reads the pods and pod templates of a file as written, without defaults: YAML or JSON, one document
// or many, lists, and the workloads that hold a template. It is strict: what no API server would accept is an error
// that names the file, the document and the field.
//
// It may import k8s.io/api types, apimachinery, the YAML reader and the standard library. It accesses no files or
// clusters and judges nothing: the caller passes the bytes. Errors never show a value of the file, because it contains
// environment variables; callers must not print a Pod either.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// MaxBytes is the longest manifest that is read, the kubelet's limit (config/common.go maxConfigLength).
const MaxBytes = 10 << 20

var (
	// ErrKind is wrapped by errors about an object without a pod or without a kind.
	ErrKind = errors.New("not a kind with containers")

	errTooLong = fmt.Errorf("longer than %d MiB", MaxBytes>>20)
	errEmpty   = errors.New("it holds no object")
	errMissing = errors.New("missing")
)

// Pod is one pod, or the pod template of a workload.
type Pod struct {
	// File and Document, counted from 1, say where it is written.
	File     string
	Document int
	// Kind is the kind of the object that holds it, such as Pod or Deployment; Namespace and Name are the object's, as
	// untrusted as the file.
	Kind, Namespace, Name string
	// Template holds the metadata and the spec as written.
	Template corev1.PodTemplateSpec
}

// Ref names the pod: a pod by its name, a template by its object, such as Deployment/web.
func (p *Pod) Ref() string {
	if p.Kind == "Pod" {
		return p.Name
	}
	return p.Kind + "/" + p.Name
}

// Skipped is an object without a pod in a file that has others, such as the Service next to a Deployment.
type Skipped struct {
	File             string
	Document         int
	APIVersion, Kind string
}

// Read returns the pods of a manifest in order, and what was left out. file is the name for errors. A manifest with
// only objects without a pod is an error that wraps ErrKind.
func Read(file string, data []byte) ([]Pod, []Skipped, error) {
	if len(data) > MaxBytes {
		return nil, nil, fmt.Errorf("read manifest %s: %w", file, errTooLong)
	}
	r := reader{file: file}
	for _, d := range split(data) {
		value, err := decode(d)
		if err == nil && value == nil {
			continue
		}
		r.document++
		if err == nil {
			err = r.object(value, place{}, "", "")
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read manifest %s, document %d: %w", file, r.document, err)
		}
	}
	switch {
	case len(r.pods) > 0:
		return r.pods, r.skipped, nil
	case len(r.skipped) > 0:
		s := r.skipped[0]
		return nil, nil, fmt.Errorf("read manifest %s, document %d: %w: kind %q of apiVersion %q; want one of %s",
			file, s.Document, ErrKind, s.Kind, s.APIVersion, kindNames())
	}
	return nil, nil, fmt.Errorf("read manifest %s: %w", file, errEmpty)
}

type reader struct {
	file     string
	document int
	pods     []Pod
	skipped  []Skipped
}

// object reads one object. Items of a typed list may omit apiVersion and kind: then those of the list apply.
func (r *reader) object(value any, at place, version, kind string) error {
	fields, ok := value.(map[string]any)
	if !ok {
		return at.want("an object", value)
	}
	for _, f := range []struct {
		name string
		into *string
	}{{"apiVersion", &version}, {"kind", &kind}} {
		given, ok := fields[f.name]
		if !ok && *f.into == "" {
			return fmt.Errorf("%s: %w: %w", at.field(f.name), errMissing, ErrKind)
		}
		if text, isText := given.(string); isText {
			*f.into = text
		} else if ok {
			return at.field(f.name).want("a text", given)
		}
	}
	if items, ok := fields["items"].([]any); ok && strings.HasSuffix(kind, "List") {
		return r.items(items, at.field("items"), version, strings.TrimSuffix(kind, "List"))
	}
	path, ok := templatePath(version, kind)
	if !ok {
		r.skipped = append(r.skipped, Skipped{File: r.file, Document: r.document, APIVersion: version, Kind: kind})
		return nil
	}
	return r.pod(fields, at, kind, path)
}

// items reads a list: those of a plain List have their own kind; those of a PodList may inherit the list's.
func (r *reader) items(items []any, at place, version, kind string) error {
	if kind == "" {
		version = ""
	}
	for i, item := range items {
		if err := r.object(item, at.index(i), version, kind); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) pod(fields map[string]any, at place, kind string, path []string) error {
	p := Pod{File: r.file, Document: r.document, Kind: kind}
	if meta, ok := fields["metadata"].(map[string]any); ok {
		p.Name, _ = meta["name"].(string)
		p.Namespace, _ = meta["namespace"].(string)
	}
	var template any = fields
	for _, name := range path {
		object, ok := template.(map[string]any)
		if !ok {
			return at.want("an object", template)
		}
		at = at.field(name)
		if template, ok = object[name]; !ok || template == nil {
			return fmt.Errorf("%s: %w", at, errMissing)
		}
	}
	object, ok := template.(map[string]any)
	if !ok {
		return at.want("an object", template)
	}
	// A pod's status and type do not affect what is started.
	only := map[string]any{}
	for name, value := range object {
		if name == "metadata" || name == "spec" {
			only[name] = value
		} else if len(path) > 0 {
			return fmt.Errorf("%s: %w", at.field(name), ErrUnknownField)
		}
	}
	if err := check(reflect.TypeFor[corev1.PodTemplateSpec](), only, at); err != nil {
		return err
	}
	raw, err := json.Marshal(only)
	if err != nil {
		return fmt.Errorf("%s: %w", at, errUnreadable)
	}
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&p.Template); err != nil {
		return fmt.Errorf("%s: %w", at, errUnreadable)
	}
	if err := named(&p.Template.Spec, at.field("spec")); err != nil {
		return err
	}
	r.pods = append(r.pods, p)
	return nil
}

// named checks for the minimum: containers, each with a name.
func named(spec *corev1.PodSpec, at place) error {
	if len(spec.Containers) == 0 {
		return fmt.Errorf("%s: %w", at.field("containers"), errMissing)
	}
	for i := range spec.InitContainers {
		if spec.InitContainers[i].Name == "" {
			return fmt.Errorf("%s: %w", at.field("initContainers").index(i).field("name"), errMissing)
		}
	}
	for i := range spec.Containers {
		if spec.Containers[i].Name == "" {
			return fmt.Errorf("%s: %w", at.field("containers").index(i).field("name"), errMissing)
		}
	}
	for i := range spec.EphemeralContainers {
		if spec.EphemeralContainers[i].Name == "" {
			return fmt.Errorf("%s: %w", at.field("ephemeralContainers").index(i).field("name"), errMissing)
		}
	}
	return nil
}

// kinds are the objects that hold a pod, with the API groups that ever had them and the path to the template.
var kinds = []struct {
	kind   string
	groups []string
	path   []string
}{
	{"Pod", []string{""}, nil},
	{"PodTemplate", []string{""}, []string{"template"}},
	{"ReplicationController", []string{""}, []string{"spec", "template"}},
	{"Deployment", []string{"apps", "extensions"}, []string{"spec", "template"}},
	{"ReplicaSet", []string{"apps", "extensions"}, []string{"spec", "template"}},
	{"StatefulSet", []string{"apps"}, []string{"spec", "template"}},
	{"DaemonSet", []string{"apps", "extensions"}, []string{"spec", "template"}},
	{"Job", []string{"batch", "extensions"}, []string{"spec", "template"}},
	{"CronJob", []string{"batch"}, []string{"spec", "jobTemplate", "spec", "template"}},
}

// groupVersions are the versions in which each group served them.
var groupVersions = map[string][]string{
	"":           {"v1"},
	"apps":       {"v1", "v1beta2", "v1beta1"},
	"batch":      {"v1", "v1beta1", "v2alpha1"},
	"extensions": {"v1beta1"},
}

func templatePath(apiVersion, kind string) (path []string, ok bool) {
	group, version := "", apiVersion
	if g, v, found := strings.Cut(apiVersion, "/"); found {
		group, version = g, v
	}
	for _, k := range kinds {
		if k.kind == kind && slices.Contains(k.groups, group) && slices.Contains(groupVersions[group], version) {
			return k.path, true
		}
	}
	return nil, false
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		version := groupVersions[k.groups[0]][0]
		if k.groups[0] != "" {
			version = k.groups[0] + "/" + version
		}
		names = append(names, k.kind+" ("+version+")")
	}
	return strings.Join(names, ", ") + ", or a List of them"
}

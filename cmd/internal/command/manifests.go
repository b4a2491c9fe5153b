package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/manifest"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ReadManifest reads the pods of one file. An object of a wrong kind is a usage error, like a wrong argument; objects
// without a pod are skipped with a note.
func ReadManifest(env Env, file string) ([]manifest.Pod, error) {
	name, in := file, env.Streams.In
	if file == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(file)
		if err != nil {
			return nil, Hint(fmt.Errorf("read manifest %s: %w", file, plainPathError(err)), "-f - reads standard input")
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, manifest.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read manifest %s: %w", name, plainPathError(err))
	}
	pods, skipped, err := manifest.Read(name, data)
	if errors.Is(err, manifest.ErrKind) {
		return nil, Usage("%w", err)
	}
	if errors.Is(err, manifest.ErrUnknownField) {
		return nil, Hint(err, fmt.Sprintf("no kubelet up to v1.%d knows this field; remove it", kubelet.NewestMinor))
	}
	if err != nil {
		return nil, err
	}
	for _, s := range skipped {
		fmt.Fprintf(env.Streams.ErrOut, "warning: %s, document %d: kind %s holds no containers and is left out\n",
			oneLine(s.File), s.Document, safetext.Ident(s.Kind))
	}
	return pods, nil
}

// plainPathError drops the operation and the path, which the message has already.
func plainPathError(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}

// OnceFromStdin refuses to read standard input twice.
func OnceFromStdin(files []string) error {
	if n := len(slices.DeleteFunc(slices.Clone(files), func(f string) bool { return f != "-" })); n > 1 {
		return Usage("standard input can be read once, got -f - %d times", n)
	}
	return nil
}

// Manifested returns the targets in manifests, and their namespace, "" if they have none.
func Manifested(env Env, files []string) (out []collect.Target, namespace string, err error) {
	if err := OnceFromStdin(files); err != nil {
		return nil, "", err
	}
	for _, file := range files {
		pods, err := ReadManifest(env, file)
		if err != nil {
			return nil, "", err
		}
		for i := range pods {
			p := &pods[i]
			kind, name, in := KindOf(p.Kind), safetext.Ident(p.Name), safetext.Ident(p.Namespace)
			switch {
			case kind == "":
				return nil, "", Usage("%s: a %s has no pods: want pods or what creates them", oneLine(file), p.Kind)
			case name == "":
				return nil, "", Usage("%s: a %s without a name cannot be looked up", oneLine(file), p.Kind)
			case in != "" && namespace != "" && in != namespace:
				return nil, "", Usage("%s: its objects are in the namespaces %s and %s: use one at a time",
					oneLine(file), namespace, in)
			case in != "":
				namespace = in
			}
			if t := (collect.Target{Kind: kind, Name: name}); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out, namespace, nil
}

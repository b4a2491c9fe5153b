package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashcase"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// record gives every release the same cases and writes the answers to a file.
func record(ctx context.Context, out io.Writer, o peer.Options) error {
	g := hashcase.NewGenerator(o.Seed)
	lines, vectors := make([][]byte, o.Vectors), make([]hashcase.Vector, o.Vectors)
	for i := range lines {
		lines[i] = g.Next()
		vectors[i] = hashcase.Vector{Case: json.RawMessage(lines[i]), Answers: map[string]string{}}
	}
	for _, era := range hashdriver.Eras {
		for _, d := range era {
			answers, err := ask(ctx, o.Cache, d, lines)
			if err != nil {
				return fmt.Errorf("record vectors of %s: %w", d, err)
			}
			for i, a := range answers {
				vectors[i].Answers[d.String()] = a
			}
		}
	}
	packed, err := peer.Pack(vectors)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(o.Record, hashcase.VectorFile), packed, 0o644); err != nil {
		return fmt.Errorf("record vectors: %w", err)
	}
	fmt.Fprintf(out, "oracle: seed %d, recorded %d hash vectors, %d KiB\n", o.Seed, len(vectors), len(packed)>>10)
	return nil
}

func ask(ctx context.Context, cache string, d hashdriver.Driver, lines [][]byte) (_ []string, err error) {
	path, err := hashdriver.Build(ctx, cache, d)
	if err != nil {
		return nil, err
	}
	u, err := peer.Start(ctx, path, os.Stderr)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, u.Stop()) }()
	return asked(u, lines...)
}

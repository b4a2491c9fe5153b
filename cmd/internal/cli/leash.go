package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// errLeash: the client that requested the bundle is gone.
var errLeash = errors.New("collect --local: standard input ended: no one is waiting for the bundle")

// leashed waits for a line on standard input and returns a context that ends when the input does. This is how a
// collector pod is stopped when its client is gone.
func leashed(ctx context.Context, in io.Reader) (context.Context, error) {
	r := bufio.NewReader(io.LimitReader(in, 4<<10))
	first := make(chan error, 1)
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, err := r.ReadString('\n')
		first <- err
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		cancel(fmt.Errorf("%w: %w", errLeash, errors.Join(err, io.EOF)))
	}()
	select {
	case err := <-first:
		if err != nil {
			return ctx, errLeash
		}
		return ctx, nil
	case <-ctx.Done():
		return ctx, context.Cause(ctx)
	}
}

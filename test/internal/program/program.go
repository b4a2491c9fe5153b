// Package program is the frame of the programs of test: flags, an end by interrupt, errors and the exit code.
//
// It imports the standard library only. What a program does never enters.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// ErrSaid is the error of a program that has printed already what did not hold.
var ErrSaid = errors.New("it did not hold")

// Main reads the flags and works until the end or an interrupt; a second one ends what does not listen. An error is
// printed, and is exit code 1.
func Main(work func(context.Context) error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	err := work(ctx)
	stop()
	if err == nil {
		return
	}
	if !errors.Is(err, ErrSaid) {
		fmt.Fprintln(os.Stderr, "error:", err)
	}
	os.Exit(1)
}

// Hold is ErrSaid unless something held.
func Hold(held bool) error {
	if held {
		return nil
	}
	return ErrSaid
}

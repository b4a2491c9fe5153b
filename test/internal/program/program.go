// Package program is the common main function of the test programs: flags, interrupts, errors and the exit code.
//
// It imports only the standard library. It does not know what a program does.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

// ErrSaid is the error of a program that has already printed what failed.
var ErrSaid = errors.New("it did not hold")

// Main parses the flags and runs work until its end or an interrupt; a second interrupt kills a program that does not
// react. An error is printed, with exit code 1.
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

// Hold returns ErrSaid unless held is true.
func Hold(held bool) error {
	if held {
		return nil
	}
	return ErrSaid
}

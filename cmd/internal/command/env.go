// Package command is what the commands of the program share: their environment, connection, scope, evidence, output,
// progress, and errors with hints and exit codes.
//
// A command is a struct of options that are completed, validated and run (packages cli, hashcmd, preflightcmd). This
// package may import everything but them. It knows no cause and parses no evidence, and never exits the process. Output
// that may be piped goes to standard output, messages for people to standard error.
package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// Env is what the process provides to the command line.
type Env struct {
	Streams genericiooptions.IOStreams
	Version string
	// CollectorImage is this release's image for collector pods, by digest; empty in a build without one.
	CollectorImage string
	// Now is the clock.
	Now func() time.Time
	// Getenv reads an environment variable: NO_COLOR and TERM are used.
	Getenv func(string) string
}

// Shared returns the flags that every command accepts, whether it has a viewer or not, so that a script can always pass
// them. It makes env obey them. They are hidden: a command with a viewer describes its own.
func Shared(env *Env) *pflag.FlagSet {
	f := pflag.NewFlagSet("shared", pflag.ContinueOnError)
	plain := f.Bool("no-color", false, "print no colours; the variable NO_COLOR does the same")
	f.Bool("no-tui", false, "print text even on a terminal")
	for _, name := range []string{"no-color", "no-tui"} {
		_ = f.MarkHidden(name) // the flag exists
	}
	getenv := env.Getenv
	env.Getenv = func(name string) string {
		if name == "NO_COLOR" && *plain {
			return "1"
		}
		return getenv(name)
	}
	return f
}

// terminal returns the descriptor of a stream that is a terminal.
func terminal(stream any) (fd int, ok bool) {
	f, ok := stream.(interface{ Fd() uintptr })
	if !ok {
		return 0, false
	}
	return int(f.Fd()), term.IsTerminal(int(f.Fd()))
}

// Terminal reports whether standard output is one, and how wide it is, 0 if that is not known.
func (e Env) Terminal() (tty bool, width int) {
	fd, tty := terminal(e.Streams.Out)
	if !tty {
		return false, 0
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		width = 0
	}
	return true, width
}

// colours reports whether a terminal gets any.
func (e Env) colours() bool { return e.Getenv("NO_COLOR") == "" && !e.dumb() }

// dumb reports whether the terminal has neither colours nor a movable cursor.
func (e Env) dumb() bool { return e.Getenv("TERM") == "dumb" }

// Ticket writes a file in the working directory and returns its name.
func (e Env) Ticket(format string, print func(io.Writer) error) (string, error) {
	f, err := e.file(map[string]string{"markdown": ".md", "html": ".html"}[format])
	if err != nil {
		return "", fmt.Errorf("write %s: %w", format, err)
	}
	if err := errors.Join(print(f), f.Close()); err != nil {
		return "", fmt.Errorf("write %s: %w", f.Name(), err)
	}
	return f.Name(), nil
}

// file creates a new file in the working directory, named after the time. Only the user may read it, because it may
// hold private data.
func (e Env) file(suffix string) (*os.File, error) {
	name := "restartwhy-" + e.Now().UTC().Format("20060102-150405")
	for n := 2; ; n++ {
		f, err := os.OpenFile(name+suffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil || !errors.Is(err, os.ErrExist) || n > 100 {
			return f, err
		}
		name = fmt.Sprintf("restartwhy-%s-%d", e.Now().UTC().Format("20060102-150405"), n)
	}
}

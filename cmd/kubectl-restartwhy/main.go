// Command kubectl-restartwhy names the root cause of every Kubernetes container restart and says how that is known.
// kubectl runs it as `kubectl restartwhy`; its --help lists commands, flags and exit codes. This package wires the
// command line to the process.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // exec and cloud credentials of kubeconfigs

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/cli"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// version is set when a release is linked; a build by `go install` uses its module's version.
var version = "devel"

func init() {
	if info, ok := debug.ReadBuildInfo(); ok && version == "devel" && strings.HasPrefix(info.Main.Version, "v") {
		version = info.Main.Version
	}
}

// collectorImage is the image of a collector pod, by digest. It is set when a release is linked, after the image was
// made: the program inside the image cannot know it, and does not need it.
var collectorImage = ""

func main() { os.Exit(run()) }

// run is main with a return value.
func run() int {
	// The first signal ends the collection and keeps what it has; the second one kills the process, as signals do by
	// default.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return cli.Run(ctx, command.Env{
		Streams: genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Version: version, CollectorImage: collectorImage, Now: clock.Now, Getenv: os.Getenv,
	}, os.Args)
}

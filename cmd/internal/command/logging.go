package command

import (
	"flag"
	"log/slog"
	"strconv"

	"k8s.io/klog/v2"
)

// requestLog is the verbosity from which client-go's own log is shown: it then logs each request, as with kubectl.
const requestLog = 6

// Logging keeps client-go's log off standard error, unless it was requested. It sets klog's global state and is called
// once.
func Logging(env Env, verbosity int) {
	if verbosity < requestLog {
		klog.SetSlogLogger(slog.New(slog.DiscardHandler))
		return
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("v", strconv.Itoa(verbosity)) // a number: it cannot fail
	_ = flags.Set("logtostderr", "false")
	klog.SetOutput(env.Streams.ErrOut)
}

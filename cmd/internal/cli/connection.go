package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const (
	// defaultDeadline bounds the reading of the API server when --request-timeout
	// does not say otherwise.
	defaultDeadline = 30 * time.Second
	// noDeadline stands for --request-timeout=0: as kubectl, wait.
	noDeadline = 24 * time.Hour

	// A default client-go client sends 5 requests a second. One run sends few
	// requests, and then stops.
	queriesPerSecond, queryBurst = 100, 200
)

// connection is the way to a cluster: kubectl's own flags.
type connection struct {
	env   Env
	flags *genericclioptions.ConfigFlags
	set   *pflag.FlagSet
}

func newConnection(env Env) *connection {
	return &connection{env: env, flags: genericclioptions.NewConfigFlags(true).WithWarningPrinter(env.Streams)}
}

// addFlags adds kubectl's connection flags and groups them in the help.
func (c *connection) addFlags(cmd *cobra.Command) {
	c.set = pflag.NewFlagSet("connection", pflag.ContinueOnError)
	c.flags.AddFlags(c.set)
	c.set.Lookup("namespace").Usage = "the namespace to look in"
	c.set.Lookup("request-timeout").Usage = "how long the API server may take for all that is asked of it, such as 2m; 0 waits for ever"
	c.set.Lookup("request-timeout").DefValue = "30s"
	// -n belongs to the scope, not to the connection, for the reader of a help text.
	own := pflag.NewFlagSet("connection", pflag.ContinueOnError)
	c.set.VisitAll(func(f *pflag.Flag) {
		cmd.Flags().AddFlag(f)
		if f.Name != "namespace" {
			own.AddFlag(f)
		}
	})
	setUsage(cmd, own)
	_ = cmd.RegisterFlagCompletionFunc("namespace", c.completeNamespaces) // the flag is there
}

// given tells whether a cluster was named on the command line.
func (c *connection) given() bool {
	for _, name := range []string{"kubeconfig", "context", "cluster", "server"} {
		if c.set.Changed(name) {
			return true
		}
	}
	return false
}

// namespace is what -n says, "" if it says nothing.
func (c *connection) namespace() string { return *c.flags.Namespace }

// deadline is how long the API server has for all that is asked of it.
func (c *connection) deadline() (time.Duration, error) {
	if !c.set.Changed("request-timeout") {
		return defaultDeadline, nil
	}
	d, err := clientcmd.ParseTimeout(*c.flags.Timeout)
	if err != nil {
		return 0, usage("--request-timeout: %w", err)
	}
	if d == 0 {
		return noDeadline, nil
	}
	return d, nil
}

// cluster is an open connection.
type cluster struct {
	client    kubernetes.Interface
	config    *rest.Config
	namespace string // the one to look in: -n, or the context's
	server    string
	deadline  time.Duration
}

// open reads the kubeconfig and makes a client. It sends nothing yet.
func (c *connection) open() (*cluster, error) {
	deadline, err := c.deadline()
	if err != nil {
		return nil, err
	}
	loader := c.flags.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, hint(fmt.Errorf("read kubeconfig: %w", err), "--kubeconfig and the variable KUBECONFIG name the file")
	}
	if clientcmdapi.IsConfigEmpty(&raw) && !c.set.Changed("server") && os.Getenv("KUBERNETES_SERVICE_HOST") == "" {
		return nil, hint(errors.New("read kubeconfig: there is none, so no cluster to ask"),
			"--kubeconfig and the variable KUBECONFIG name the file", "recorded evidence needs no cluster: --from FILE; 'demo' shows an example")
	}
	config, err := c.flags.ToRESTConfig()
	if err != nil {
		return nil, hint(fmt.Errorf("read kubeconfig: %w", err), "'kubectl config get-contexts' lists the contexts")
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	config = rest.CopyConfig(config)
	config.UserAgent = "kubectl-restartwhy/" + c.env.Version
	config.QPS, config.Burst = queriesPerSecond, queryBurst
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return &cluster{client: client, config: config, namespace: namespace, server: config.Host, deadline: deadline}, nil
}

// completionTime is how long a shell may wait for candidates.
const completionTime = 3 * time.Second

func (c *connection) completeNamespaces(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.candidates(cmd, func(ctx context.Context, cl *cluster) ([]string, error) { return listNamespaces(ctx, cl.client) })
}

// completePods completes the names of pods in the chosen namespace.
func (c *connection) completePods(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.candidates(cmd, func(ctx context.Context, cl *cluster) ([]string, error) {
		return listPods(ctx, cl.client, cl.namespace)
	})
}

// completeNodes completes the names of nodes.
func (c *connection) completeNodes(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.candidates(cmd, func(ctx context.Context, cl *cluster) ([]string, error) { return listNodes(ctx, cl.client) })
}

// candidates asks the cluster for completions. Nothing is worth an error there.
func (c *connection) candidates(cmd *cobra.Command, list func(context.Context, *cluster) ([]string, error)) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	cl, err := c.open()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, err := list(ctx, cl)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

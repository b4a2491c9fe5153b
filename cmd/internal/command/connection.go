package command

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

const (
	// DefaultDeadline limits the reading of the API server unless --request-timeout is given.
	DefaultDeadline = 30 * time.Second
	// NoDeadline is used for --request-timeout=0: wait, as kubectl does.
	NoDeadline = 24 * time.Hour

	// By default, a client-go client sends 5 requests a second. One run sends few requests, and then stops.
	queriesPerSecond, queryBurst = 100, 200
)

// connection configures access to a cluster with kubectl's own flags.
type connection struct {
	env Env
	// Overrides are the flags' values, which replace those of the kubeconfig.
	Overrides  *clientcmd.ConfigOverrides
	kubeconfig string
	userExtra  []string
	Set        *pflag.FlagSet
}

// NewConnection returns a connection without any flags set.
func NewConnection(env Env) *connection {
	return &connection{env: env, Overrides: &clientcmd.ConfigOverrides{ClusterDefaults: clientcmd.ClusterDefaults}}
}

// AddFlags adds kubectl's connection flags and groups them in the help. They are client-go's own; cli-runtime's
// genericclioptions has the same ones, but pulls in discovery and kustomize: 17 MB.
func (c *connection) AddFlags(cmd *cobra.Command) {
	c.Set = pflag.NewFlagSet("connection", pflag.ContinueOnError)
	names := clientcmd.RecommendedConfigOverrideFlags("")
	names.ClusterOverrideFlags.APIServer.ShortName = "s"
	// no API server accepts them any more
	names.AuthOverrideFlags.Username.LongName, names.AuthOverrideFlags.Password.LongName = "", ""
	clientcmd.BindOverrideFlags(c.Overrides, c.Set, names)
	c.Set.StringVar(&c.kubeconfig, "kubeconfig", "", "Path to the kubeconfig file to use for CLI requests.")
	c.Set.StringArrayVar(&c.userExtra, "as-user-extra", nil,
		"User extras to impersonate for the operation, this flag can be repeated to specify multiple values for the same key.")
	c.Set.String("cache-dir", "", "Default cache directory")
	_ = c.Set.MarkHidden("cache-dir") // accepted for compatibility with kubectl, but ignored: nothing is cached
	c.Set.Lookup("namespace").Usage = "the namespace to look in"
	c.Set.Lookup("request-timeout").Usage = "how long the API server may send nothing, such as 2m, and, where it is given, " +
		"one answer may take; 0 means no limit"
	c.Set.Lookup("request-timeout").DefValue = "30s"
	// In the help text, -n belongs to the scope, not to the connection.
	own := pflag.NewFlagSet("connection", pflag.ContinueOnError)
	c.Set.VisitAll(func(f *pflag.Flag) {
		cmd.Flags().AddFlag(f)
		if f.Name != "namespace" {
			own.AddFlag(f)
		}
	})
	SetUsage(cmd, own)
	_ = cmd.RegisterFlagCompletionFunc("namespace", c.completeNamespaces) // the flags exist
	for _, name := range []string{"context", "cluster", "user"} {
		_ = cmd.RegisterFlagCompletionFunc(name, c.completeKubeconfig(name))
	}
}

func (c *connection) Given() bool {
	for _, name := range []string{"kubeconfig", "context", "cluster", "server"} {
		if c.Set.Changed(name) {
			return true
		}
	}
	return false
}

// Namespace returns the value of -n, "" if it is not given.
func (c *connection) Namespace() string { return c.Overrides.Context.Namespace }

// deadline is how long the API server may make no progress on a request.
func (c *connection) deadline() (time.Duration, error) {
	if !c.Set.Changed("request-timeout") {
		return DefaultDeadline, nil
	}
	d, err := clientcmd.ParseTimeout(c.Overrides.Timeout)
	if err != nil {
		return 0, Usage("--request-timeout: %w", err)
	}
	if d == 0 {
		return NoDeadline, nil
	}
	return d, nil
}

// loader reads kubeconfigs as kubectl does: --kubeconfig, else the files in KUBECONFIG, else ~/.kube/config, else the
// in-cluster configuration.
func (c *connection) loader() (clientcmd.ClientConfig, error) {
	extra := map[string][]string{}
	for _, pair := range c.userExtra {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, Usage("--as-user-extra %q: want KEY=VALUE", pair)
		}
		extra[key] = append(extra[key], value)
	}
	if len(extra) > 0 {
		c.Overrides.AuthInfo.ImpersonateUserExtra = extra
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.DefaultClientConfig = &clientcmd.DefaultClientConfig
	rules.ExplicitPath = c.kubeconfig
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, c.Overrides), nil
}

// files returns the paths where a kubeconfig is looked for.
func (c *connection) files() string {
	if c.kubeconfig != "" {
		return c.kubeconfig
	}
	return strings.Join(clientcmd.NewDefaultClientConfigLoadingRules().Precedence, ", ")
}

// Open reads the kubeconfig and makes a client. It sends no request.
func (c *connection) Open() (*collect.Cluster, error) {
	deadline, err := c.deadline()
	if err != nil {
		return nil, err
	}
	loader, err := c.loader()
	if err != nil {
		return nil, err
	}
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, Hint(fmt.Errorf("read kubeconfig: %w", err), "--kubeconfig and the variable KUBECONFIG name the file")
	}
	if clientcmdapi.IsConfigEmpty(&raw) && !c.Set.Changed("server") && os.Getenv("KUBERNETES_SERVICE_HOST") == "" {
		return nil, Hint(fmt.Errorf("read kubeconfig: %s does not exist, so there is no cluster to read", c.files()),
			"--kubeconfig and the variable KUBECONFIG name the file",
			"recorded evidence needs no cluster: --from FILE; 'demo' shows an example")
	}
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, Hint(fmt.Errorf("read kubeconfig: %w", err), "'kubectl config get-contexts' lists the contexts")
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
	client, err := kube.New(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return &collect.Cluster{Client: client, Config: config, Namespace: namespace, Server: config.Host,
		Deadline: deadline}, nil
}

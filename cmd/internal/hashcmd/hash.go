// Package hashcmd is the command `hash`: the hashes of containers for every kubelet version, of manifests, of pods and
// their stored hashes, and of static pods.
//
// It may import cmd/internal/command and manifest, and the analyzer.
package hashcmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/manifest"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Options are the options of `hash`, which prints what kubelets would store with the containers of a manifest or a pod,
// and which of them, from which spec, computed a stored hash.
type Options struct {
	env       command.Env
	scope     command.Scope
	sources   *command.Sources
	stored    string
	files     []string
	versions  []string
	container string
	format    string
	second    bool

	kubelets []kubelet.Version
}

// New returns the command.
func New(env command.Env) *cobra.Command {
	o := &Options{env: env, sources: command.NewSources(env), format: "table"}
	cmd := &cobra.Command{
		Use:   "hash POD | -f POD.yaml",
		Short: "Find which kubelet, from which spec, computed a container's stored hash",
		Long: command.Lines(`
		Find which kubelet version, from which spec, computed the hash stored with each
		container of a pod, and what every version computes from the present spec.
		Containers whose hash changes between two versions restart when the kubelet is
		upgraded from one to the other without a drain.

		The stored hash is an annotation of the container in its runtime: --evidence pod
		reads it, a bundle of the node has it, or --stored gives it as 'crictl inspect' shows
		it. If the present spec does not give it, earlier images are tried, the templates
		of earlier revisions of its workload, and specs with a field or two less or more:
		what API servers set by default, what admission adds, and any field alone. A match
		is proof, except for the odds of a chance match, which are printed.

		With -f, only the file is read (YAML or JSON: pods, workloads with a pod
		template, several documents, lists). It is hashed exactly as it is: nothing is
		defaulted. Up to 1.30 the hash covers the fields that the API server sets by
		default, so use the running pod ('kubectl get pod NAME -o yaml'), not the manifest
		that it was created from. Up to 1.15, a quantity that was rewritten on its way may be
		hashed in another form: there, a match is proof, but a mismatch is not.`),
		Example: command.Lines(`
		  kubectl restartwhy hash web-0 -n shop
		  kubectl restartwhy hash web-0 -n shop -c app --stored c87f01d2
		  kubectl restartwhy hash web-0 --from bundle.tar.zst -o markdown
		  kubectl restartwhy hash -f pod.yaml
		  kubectl restartwhy hash -f pod.yaml --kubelet v1.30 --kubelet v1.31
		  kubectl get pod web-0 -o yaml | kubectl restartwhy hash -f - -c app -o json`),
		ValidArgsFunction: o.sources.Conn.CompletePods,
		Args:              command.Args(0, 1, "hash takes one pod"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(cmd, args); err != nil {
				return err
			}
			if len(args) > 0 {
				return o.runPod(cmd.Context())
			}
			return o.run()
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.files, "filename", "f", nil, "file that holds the pods, - for standard input; may be repeated")
	f.StringSliceVar(&o.versions, "kubelet", nil,
		"kubelet version, such as v1.31 or v1.29.3-eks-49c6de4; may be repeated (default: every minor from 1.5 on)")
	f.StringVarP(&o.container, "container", "c", "", "only the container of this name")
	f.BoolVar(&o.second, "without-resources", false,
		"add the second hash that kubelets 1.27 to 1.30 store when their gate InPlacePodVerticalScaling is on")
	command.AddFormat(cmd, &o.format, render.DocumentFormats)
	f.StringVar(&o.stored, "stored", "",
		"the stored hash to explain, in hex as the runtime shows it; with -c if there are several containers")
	o.sources.AddNode(cmd)
	f.StringArrayVar(&o.sources.From, "from", nil,
		"with a pod: read this instead of a cluster: a bundle, or a directory or file of logs, or - for standard input; "+
			"may be repeated")
	o.sources.AddLevel(cmd)
	o.sources.Conn.AddFlags(cmd)
	command.SetUsage(cmd, nil)
	return cmd
}

// complete parses pod, versions and format; all errors are reported at once.
func (o *Options) complete(cmd *cobra.Command, args []string) error {
	var errs []error
	switch {
	case len(args) > 0:
		errs = append(errs, o.completePod(args))
	case len(o.files) == 0:
		errs = append(errs, command.Usage("hash needs a pod, or a file: -f POD.yaml, or -f - for standard input"))
	case len(o.sources.From) > 0:
		errs = append(errs, command.Usage("--from needs a pod: name it"))
	default:
		errs = append(errs, o.fileOnly(cmd))
	}
	errs = append(errs, command.OnceFromStdin(o.files), command.CheckFormat(o.format, render.DocumentFormats))
	if cmd.Flags().Changed("stored") && o.stored == "" {
		errs = append(errs, command.Usage("--stored: want a hash, such as c87f01d2"))
	}
	if cmd.Flags().Changed("container") && o.container == "" {
		errs = append(errs, command.Usage("--container: want the name of a container"))
	}
	for _, text := range o.versions {
		v, err := command.KubeletVersion("kubelet", text)
		if err != nil {
			errs = append(errs, err)
		} else if !slices.Contains(o.kubelets, v) {
			o.kubelets = append(o.kubelets, v)
		}
	}
	if len(o.versions) == 0 {
		o.kubelets = forensics.EveryMinor()
	}
	return errors.Join(errs...)
}

// clusterFlags say where to look for a pod and how far to go: with a file they would have no effect, but look as if
// they did.
var clusterFlags = []string{"namespace", "node", "evidence", "collector-image",
	"collector-namespace", "collector-allow", "collector-timeout"}

func (o *Options) fileOnly(cmd *cobra.Command) error {
	var given []string
	for _, name := range clusterFlags {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	return command.Usage("%s: needs a pod; with -f, only the file is read", strings.Join(given, ", "))
}

func (o *Options) run() error {
	var pods []manifest.Pod
	for _, file := range o.files {
		some, err := command.ReadManifest(o.env, file)
		if err != nil {
			return err
		}
		pods = append(pods, some...)
	}
	table, err := newHashTable(pods, o.container, o.kubelets, o.second)
	if err != nil {
		return err
	}
	if o.stored != "" {
		if err := o.explainStored(table, pods); err != nil {
			return err
		}
	}
	return table.print(o.env, o.format)
}

func podNames(pods []manifest.Pod) string {
	var names []string
	for i := range pods {
		names = append(names, safetext.Ident(pods[i].Ref()))
	}
	return strings.Join(names, ", ")
}

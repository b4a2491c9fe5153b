package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/manifest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// hashOptions print what the kubelets would store with the containers of a manifest.
type hashOptions struct {
	env       Env
	files     []string
	versions  []string
	container string
	format    string
	second    bool
	static    staticOptions

	kubelets []kubelet.Version
}

func newHash(env Env) *cobra.Command {
	o := &hashOptions{env: env}
	cmd := &cobra.Command{
		Use:   "hash -f POD.yaml",
		Short: "Compute the hash that each kubelet version stores with a container",
		Long: lines(`
		Compute the hash that the kubelet stores with every container of a manifest, as each
		version from 1.5 on computes it. Containers whose hash changes between two versions
		restart when the kubelet is upgraded from one to the other without a drain.

		FILE is YAML or JSON: pods, workloads with a pod template, several documents, lists.
		What is in the file is what is hashed: nothing is defaulted. Up to 1.30 the hash
		covers the fields that the API server sets by default, so take the running pod
		('kubectl get pod NAME -o yaml'), not the manifest that it was made from, to
		compare with a stored hash. Up to 1.15 a quantity that was rewritten on its way may
		be hashed in another form: there a match is proof, a mismatch is none.

		--static-pod says what the kubelet makes of the file as a static pod: its UID takes
		the place of the hashes, so a change of it recreates the pod.`),
		Example: lines(`
		  kubectl restartwhy hash -f pod.yaml
		  kubectl restartwhy hash -f pod.yaml --kubelet v1.30 --kubelet v1.31
		  kubectl get pod web-0 -o yaml | kubectl restartwhy hash -f - -c app -o json
		  kubectl restartwhy hash -f /etc/kubernetes/manifests/etcd.yaml --static-pod --node cp-1`),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("hash takes a file with -f, got %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd); err != nil {
				return err
			}
			return o.run()
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.files, "filename", "f", nil, "file that holds the pods, - for standard input; may be repeated")
	f.StringSliceVar(&o.versions, "kubelet", nil, "kubelet version, such as v1.31 or v1.29.3-eks-49c6de4; may be repeated (default: every minor from 1.5 on)")
	f.StringVarP(&o.container, "container", "c", "", "only the container of this name")
	f.BoolVar(&o.second, "without-resources", false, "add the second hash that kubelets 1.27 to 1.30 store when their gate InPlacePodVerticalScaling is on")
	f.StringVarP(&o.format, "output", "o", "table", "output format: table|wide|json|yaml")
	o.static.addFlags(f)
	fixed(cmd, "output", "table", "wide", "json", "yaml")
	setUsage(cmd, nil)
	return cmd
}

// complete reads versions and format; all that is wrong is said at once.
func (o *hashOptions) complete(cmd *cobra.Command) error {
	var errs []error
	if len(o.files) == 0 {
		errs = append(errs, usage("hash needs a file: -f POD.yaml, or -f - for standard input"))
	}
	errs = append(errs, onceFromStdin(o.files))
	if !slices.Contains([]string{"table", "wide", "json", "yaml"}, o.format) {
		errs = append(errs, usage("unknown output format %q: want table, wide, json or yaml", o.format))
	}
	if cmd.Flags().Changed("container") && o.container == "" {
		errs = append(errs, usage("--container: want the name of a container"))
	}
	for _, text := range o.versions {
		v, err := kubelet.ParseVersion(text)
		if err == nil {
			_, err = kubelet.ProfileFor(v)
		}
		if err != nil {
			errs = append(errs, usage("--kubelet: %w", err))
		} else if !slices.Contains(o.kubelets, v) {
			o.kubelets = append(o.kubelets, v)
		}
	}
	if len(o.versions) == 0 {
		for minor := kubelet.OldestMinor; minor <= kubelet.NewestMinor; minor++ {
			o.kubelets = append(o.kubelets, kubelet.Version{Major: 1, Minor: minor, Patch: kubelet.PatchNotGiven})
		}
	}
	return errors.Join(append(errs, o.static.complete())...)
}

func (o *hashOptions) run() error {
	var pods []manifest.Pod
	for _, file := range o.files {
		some, err := readManifest(o.env, file)
		if err != nil {
			return err
		}
		pods = append(pods, some...)
	}
	table, err := newHashTable(pods, o.container, o.kubelets, o.second)
	if err != nil {
		return err
	}
	if o.static.wanted {
		if err := o.static.fill(table, pods, o.kubelets); err != nil {
			return err
		}
	}
	return table.print(o.env.Streams.Out, o.format)
}

// podNames lists pods for a message.
func podNames(pods []manifest.Pod) string {
	var names []string
	for i := range pods {
		names = append(names, safetext.Ident(pods[i].Ref()))
	}
	return strings.Join(names, ", ")
}

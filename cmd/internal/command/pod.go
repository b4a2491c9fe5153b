package command

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/restartwhy/kubectl-restartwhy/diag/collectorpod"
)

// podFlags configure collector pods.
type podFlags struct {
	image, namespace string
	allow            []string
	timeout          time.Duration
	Since            string
}

func (f *podFlags) add(cmd *cobra.Command, env Env) {
	set := cmd.Flags()
	set.StringVar(&f.image, "collector-image", env.CollectorImage,
		"with --evidence pod: the image that contains this program")
	set.StringVar(&f.namespace, "collector-namespace", collectorpod.DefaultNamespace,
		"with --evidence pod: the namespace for the pods; pods there must be allowed to read the node's directories")
	var grants []string
	for _, g := range collectorpod.Grants() {
		grants = append(grants, string(g))
	}
	set.StringSliceVar(&f.allow, "collector-allow", nil,
		"with --evidence pod: what the pods may do beyond reading logs and cgroups: "+strings.Join(grants, ","))
	set.DurationVar(&f.timeout, "collector-timeout", 2*time.Minute, "with --evidence pod: how long one node may take")
	Fixed(cmd, "collector-allow", grants...)
}

// options checks the flags. warn is about an image whose content may change.
func (f *podFlags) options(env Env) (o collectorpod.Options, warn string, err error) {
	grants, err := collectorpod.ParseGrants(f.allow)
	if err != nil {
		return o, "", Usage("--collector-allow: %w", err)
	}
	if f.timeout <= 0 || f.timeout > collectorpod.MaxTimeout {
		return o, "", Usage("--collector-timeout %s: want up to %s", f.timeout, collectorpod.MaxTimeout)
	}
	if errs := validation.IsDNS1123Label(f.namespace); len(errs) > 0 {
		return o, "", Usage("--collector-namespace %q: %s", f.namespace, errs[0])
	}
	if f.image == "" {
		return o, "", Usage("--evidence pod needs an image of this program, and this build has none; 'make image' writes " +
			"one, --collector-image names it")
	}
	pinned, err := collectorpod.CheckImage(f.image)
	if err != nil {
		return o, "", Usage("--collector-image: %w", err)
	}
	if !pinned {
		warn = "the collector's image is not named by its digest: its tag may later point to another image"
	}
	age, err := ParseAge(f.Since)
	if err != nil {
		return o, "", Usage("--since %q: want a duration such as 24h or 7d", f.Since)
	}
	return collectorpod.Options{Namespace: f.namespace, Image: f.image, Grants: grants,
		Since: age, Timeout: f.timeout, Now: env.Now}, warn, nil
}

package hashcmd

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/staticpod"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/manifest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// staticOptions ask what the kubelet makes of a manifest as a static pod.
type staticOptions struct {
	wanted     bool
	node, path string
}

func (o *staticOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.wanted, "static-pod", false, "add what each kubelet computes for the file as a static pod; needs --node")
	f.StringVar(&o.node, "node", "",
		"with --static-pod: the node's name as the kubelet has it; with --from: the node that log files come from, if they "+
			"do not name it")
	f.StringVar(&o.path, "path", "", "with --static-pod: the file's path on the node (default: the path of the file)")
}

func (o *staticOptions) complete() error {
	switch {
	case o.wanted && o.node == "":
		return command.Usage("--static-pod needs --node NAME: the pod's name ends with it")
	case !o.wanted && (o.node != "" || o.path != ""):
		return command.Usage("--node and --path need --static-pod")
	}
	return nil
}

func (o *staticOptions) fill(t *listing, pods []manifest.Pod, versions []kubelet.Version) error {
	for i := range pods {
		p := &pods[i]
		if p.Kind != "Pod" {
			return command.Usage("a static pod is written as a Pod, not as a %s (%s, document %d)", p.Kind, p.File, p.Document)
		}
		if p.Name == "" {
			return fmt.Errorf("read manifest %s, document %d: metadata.name: a static pod needs one", p.File, p.Document)
		}
		for _, v := range versions {
			item, err := o.item(p, v)
			if err != nil {
				return err
			}
			t.StaticPods = append(t.StaticPods, item)
		}
	}
	return nil
}

func (o *staticOptions) item(p *manifest.Pod, v kubelet.Version) (report.StaticPodHash, error) {
	profile, err := kubelet.ProfileFor(v)
	if err != nil {
		return report.StaticPodHash{}, err
	}
	minor := min(v.Minor, kubelet.NewestMinor)
	item := report.StaticPodHash{
		Pod: safetext.Ident(staticpod.PodName(minor, p.Name, o.node)), Namespace: safetext.Ident(p.Namespace), Kind: "pod",
		Kubelet: v.String(), Algorithm: string(profile.StaticPodUID),
	}
	if item.Namespace == "" {
		item.Namespace = "default"
	}
	if uid := p.Template.UID; uid != "" {
		item.Algorithm, item.UID = staticpod.FromManifest, safetext.Ident(string(uid))
		return item, nil
	}
	if profile.StaticPodUID != kubelet.StaticPodUIDFromPod {
		item.Node, item.Path = safetext.Ident(o.node), o.pathOf(p)
	}
	if profile.Extrapolated {
		item.ModelledAs, item.Why = profile.ModelledAs, "not known: nearly every minor version computes another UID"
		return item, nil
	}
	from, to := staticpod.Run(minor)
	item.UIDRun = []string{fmt.Sprintf("v1.%d", from), fmt.Sprintf("v1.%d", to)}
	for _, c := range staticpod.Between(from-1, from) {
		item.Why = c.Why()
	}
	return item, nil
}

// pathOf is the path under which the kubelet is taken to open the file: absolute, as staticPodPath is.
func (o *staticOptions) pathOf(p *manifest.Pod) string {
	if o.path != "" {
		return safetext.Ident(o.path)
	}
	if path, err := filepath.Abs(p.File); err == nil {
		return safetext.Ident(path)
	}
	return safetext.Ident(p.File)
}

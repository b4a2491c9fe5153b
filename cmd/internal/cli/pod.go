package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/collectorpod"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// podParallel is how many nodes are read through pods at a time.
const podParallel = 8

// podFlags say how collector pods are made.
type podFlags struct {
	image, namespace string
	allow            []string
	timeout          time.Duration
	since            string
}

func (f *podFlags) add(cmd *cobra.Command, env Env) {
	set := cmd.Flags()
	set.StringVar(&f.image, "collector-image", env.CollectorImage, "with --evidence pod: the image that holds this program")
	set.StringVar(&f.namespace, "collector-namespace", collectorpod.DefaultNamespace, "with --evidence pod: where the pods are made; pods there must be allowed to read the node's directories")
	var grants []string
	for _, g := range collectorpod.Grants() {
		grants = append(grants, string(g))
	}
	set.StringSliceVar(&f.allow, "collector-allow", nil, "with --evidence pod: what the pods may do beyond reading logs and cgroups: "+strings.Join(grants, ","))
	set.DurationVar(&f.timeout, "collector-timeout", 2*time.Minute, "with --evidence pod: how long one node may take")
	fixed(cmd, "collector-allow", grants...)
}

// options checks the flags. warn tells of an image that may change its content.
func (f *podFlags) options(env Env) (o collectorpod.Options, warn string, err error) {
	grants, err := collectorpod.ParseGrants(f.allow)
	if err != nil {
		return o, "", usage("--collector-allow: %w", err)
	}
	if f.timeout <= 0 || f.timeout > collectorpod.MaxTimeout {
		return o, "", usage("--collector-timeout %s: want up to %s", f.timeout, collectorpod.MaxTimeout)
	}
	if f.image == "" {
		return o, "", usage("--evidence pod needs an image of this program: this build knows none; 'make image' writes one, --collector-image names it")
	}
	pinned, err := collectorpod.CheckImage(f.image)
	if err != nil {
		return o, "", usage("--collector-image: %w", err)
	}
	if !pinned {
		warn = "the collector's image is not named by its digest: what its tag means may change"
	}
	age, err := parseAge(f.since)
	if err != nil {
		return o, "", usage("--since %q: want a duration such as 24h or 7d", f.since)
	}
	return collectorpod.Options{Namespace: f.namespace, Image: f.image, Grants: grants, Since: age, Timeout: f.timeout, Now: env.Now}, warn, nil
}

// pods reads nodes through collector pods. It returns the nodes that it could
// not read at all.
func (s *sources) pods(ctx context.Context, cl *cluster, nodes []string, g *gathered, p *progress) (unread []string) {
	o, _, err := s.pod.options(s.env)
	if err != nil || len(nodes) == 0 { // the flags were checked before anything was asked
		return nodes
	}
	if gaps := s.mayCollect(ctx, cl, o.Namespace); len(gaps) > 0 {
		g.yield.Gaps = append(g.yield.Gaps, gaps...)
		return nodes
	}
	sweep, cancel := context.WithTimeout(ctx, cl.deadline)
	_, err = collectorpod.Sweep(sweep, cl.client, o.Namespace, s.env.Now())
	cancel()
	if err != nil && ctx.Err() == nil {
		g.yield.Gaps = append(g.yield.Gaps, evidence.Gap{Source: collectorpod.Kind, Why: oneLine(fmt.Sprintf("look for pods that an earlier run left: %v", err)),
			Hint: "kubectl get pods -n " + o.Namespace + " -l " + collectorpod.Selector})
	}
	attach := collectorpod.REST(cl.client.Core(), cl.config)
	var all []diag.Source
	var pods []*collectorpod.Source
	for _, node := range nodes {
		one := collectorpod.New(cl.client, attach, node, o)
		all, pods = append(all, one), append(pods, one)
	}
	// Grace: an interrupted collection removes its pods before it ends.
	g.yield.Add(diag.Collect(ctx, all, diag.Options{Parallel: podParallel, Timeout: o.Timeout + collectorpod.Grace, Grace: collectorpod.Grace, Progress: p.step}))
	before := g.close
	g.close = func() error {
		errs := []error{before()}
		for _, one := range pods {
			errs = append(errs, one.Close())
		}
		return errors.Join(errs...)
	}
	for i, one := range pods {
		if !one.Read() {
			unread = append(unread, nodes[i])
		}
	}
	return unread
}

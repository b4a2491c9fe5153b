package collect

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/collectorpod"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletapi"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// logParallel is how many nodes' logs are read at a time.
const logParallel = 4

// podParallel is how many nodes are read through pods at a time.
const podParallel = 8

// nodeRead is the evidence of one node.
type nodeRead struct {
	node       string // "" for what concerns them all
	collection diag.Collection
	close      func() error // frees the files behind the pieces; nil where there are none
}

func closeReads(reads []*nodeRead) error {
	var errs []error
	for _, r := range reads {
		if r.close != nil {
			errs = append(errs, r.close())
		}
	}
	return errors.Join(errs...)
}

// readNodes reads nodes in addition to the API server: through pods on them if requested, and their logs. What a pod
// could not read may still be available from the kubelet.
func (r *Reader) readNodes(ctx context.Context, cl *Cluster, nodes []string, p Listener) []*nodeRead {
	var reads []*nodeRead
	if r.Level == Pod {
		reads, nodes = r.pods(ctx, cl, nodes, p)
		if len(nodes) > 0 && mayReadLogs(ctx, cl) != nil {
			nodes = nil
		}
	}
	get := kube.Raw(cl.Client.Core())
	logs := make([]*nodeRead, 0, len(nodes))
	var sources [][]diag.Source
	for _, node := range nodes {
		log := nodelog.NewSource(get, node, nodelog.QueryOptions{Now: r.Now, Reach: r.logReach()})
		of := []diag.Source{ofNode{log, node}, kubeletapi.Counters(get, node, r.Now)}
		if r.Gates {
			of = append(of, kubeletapi.Gates(get, node, r.Now))
		}
		logs, sources = append(logs, &nodeRead{node: node}), append(sources, of)
	}
	collectEach(ctx, logs, sources, logParallel, diag.Options{Timeout: logsTimeout, Progress: p.Step})
	return append(reads, logs...)
}

// collectEach fills each of reads from the sources at the same index, some nodes at a time.
func collectEach(ctx context.Context, reads []*nodeRead, sources [][]diag.Source, parallel int, o diag.Options) {
	slots := make(chan struct{}, parallel)
	var wg sync.WaitGroup
	for i, of := range sources {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			reads[i].collection.Add(diag.Collect(ctx, of, o))
		})
	}
	wg.Wait()
}

// pods reads nodes through collector pods, and returns the nodes for which that failed. The pods are gone when it
// returns.
func (r *Reader) pods(ctx context.Context, cl *Cluster, nodes []string,
	p Listener) (reads []*nodeRead, unread []string) {
	if len(nodes) == 0 {
		return nil, nodes
	}
	o := r.Pod
	all := &nodeRead{}
	reads = append(reads, all)
	if gaps := mayCollect(ctx, cl, o.Namespace); len(gaps) > 0 {
		all.collection.Gaps = gaps
		return reads, nodes
	}
	sweep, cancel := pace.Within(ctx, cl.Deadline)
	_, err := collectorpod.Sweep(sweep, cl.Client, o.Namespace, r.Now())
	cancel()
	if err != nil && ctx.Err() == nil {
		all.collection.Gaps = append(all.collection.Gaps, evidence.Gap{Source: collectorpod.Kind,
			Why:  fmt.Sprintf("look for pods that an earlier run left: %v", err),
			Hint: "kubectl get pods -n " + o.Namespace + " -l " + collectorpod.Selector})
	}
	attach := collectorpod.REST(cl.Client.Core(), cl.Config)
	var sources [][]diag.Source
	var pods []*collectorpod.Source
	for _, node := range nodes {
		one := collectorpod.New(cl.Client, attach, node, o)
		sources, pods = append(sources, []diag.Source{one}), append(pods, one)
		reads = append(reads, &nodeRead{node: node, close: one.Close})
	}
	// Grace: an interrupted collection removes its pods before it ends.
	collectEach(ctx, reads[1:], sources, podParallel,
		diag.Options{Timeout: o.Timeout + collectorpod.Grace, Grace: collectorpod.Grace, Progress: p.Step})
	for i, one := range pods {
		if !one.Read() {
			unread = append(unread, nodes[i])
		}
	}
	return reads, unread
}

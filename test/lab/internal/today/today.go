package today

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/e2e"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// Options say what is tested on a modern node.
type Options struct {
	Kubelet string
	Parts   []string // all when empty
	// Resume skips parts that were judged in an earlier run, and counts their results.
	Resume bool
	Corpus string // a directory: each part becomes an entry of the corpus there; "" for none
}

// Limits and sizes for an emulated processor.
const (
	todayLimit    = 15 * time.Minute // for what one part provokes
	todayBatch    = 6                // pods that start at once
	todayActs     = 4                // pods that are acted on at once
	settled       = 15 * time.Second // that pods run before something happens to their node
	clearPatience = 90 * time.Second // for pods to go, before the API is made to forget them
)

// Run provokes on an emulated node what needs its own kernel, systemd and power button, part by part, and judges each
// part at every tier. It needs a lab that is not up and leaves it up.
func Run(ctx context.Context, lab *cluster.Lab, out io.Writer, o Options) error {
	began := time.Now()
	minor, err := cluster.Minor(o.Kubelet)
	if err != nil {
		return err
	}
	t, err := e2e.BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	d := day{Tool: t, plan: e2e.Plan{Node: "n1", Version: o.Kubelet}, corpus: o.Corpus}
	var results []judge.Result
	var problems []error
	for _, p := range scenario.Today(minor) {
		if len(o.Parts) > 0 && !slices.Contains(o.Parts, p.Name) {
			continue
		}
		judged, err := d.part(ctx, p, o.Resume)
		if err != nil {
			// The parts after it are worth knowing all the same.
			problems = append(problems, fmt.Errorf("part %s: %w", p.Name, err))
			lab.Say("part %s: %v", p.Name, err)
		}
		results = append(results, judged...)
		if ctx.Err() != nil {
			break
		}
	}
	problems = append(problems, e2e.Settle(lab, out, "today-"+o.Kubelet, results, "", time.Since(began)))
	return errors.Join(problems...)
}

// day is a run of parts on one node, which is started as soon as a part needs it.
type day struct {
	e2e.Tool
	plan    e2e.Plan
	corpus  string
	client  *api.Client
	kubelet map[string]any // how its configuration differs now
}

// part provokes and judges one part, or reads its earlier results. Its pods are removed afterwards.
func (d *day) part(ctx context.Context, p scenario.Part, resume bool) ([]judge.Result, error) {
	kept := filepath.Join(d.Lab.Dir, "today", d.plan.Version+"-"+p.Name+".json")
	if resume {
		results, err := judge.ReadResults(kept)
		if err == nil {
			d.Lab.Say("part %s: judged before", p.Name)
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return results, err
		}
	}
	if err := d.up(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	results, err := d.judge(ctx, p, began)
	if p.After != nil && d.client != nil {
		err = errors.Join(err, p.After(ctx, e2e.NewHands(d.Lab, d.client), d.plan.Node))
	}
	if err = errors.Join(err, d.clear(ctx)); len(results) == 0 {
		return nil, err
	}
	tally := judge.Count(results)
	d.Lab.Say("part %s: %s", p.Name, tally.Summary(time.Since(began)))
	return results, errors.Join(err, judge.KeepResults(kept, results))
}

// judge provokes a part and judges it, and again each time that evidence is removed.
func (d *day) judge(ctx context.Context, p scenario.Part, began time.Time) ([]judge.Result, error) {
	if err := d.provoke(ctx, p); err != nil {
		return nil, err
	}
	d.Lab.Say("part %s: every truth can be observed; asking the tool", p.Name)
	// Kinds of evidence that no verdict of a part rests on are not in its report.
	lost := []string{"kernel-log", "runtime-log"}
	if slices.ContainsFunc(p.Scenarios, func(s scenario.Scenario) bool { return s.Ends }) {
		lost = append(lost, "cri") // the kubelet removes the containers of a pod that is over
	}
	results, err := d.ask(ctx, p, p.Name, lost...)
	if len(results) == 0 {
		return nil, err
	}
	if d.corpus != "" {
		err = errors.Join(err, d.record(ctx, p, time.Since(began)))
	}
	for _, l := range p.Later {
		if doErr := l.Do(ctx, e2e.NewHands(d.Lab, d.client), d.plan.Node); doErr != nil {
			return results, errors.Join(err, fmt.Errorf("%s: %w", l.Name, doErr))
		}
		d.Lab.Say("part %s: %s; asking once more", p.Name, l.Name)
		more, askErr := d.ask(ctx, p, p.Name+", "+l.Name, "kernel-log", "runtime-log", "kubelet-log")
		for i := range more {
			more[i].Kubelet += ", " + l.Name
			// If nothing shows an end any more, silence is all that is possible.
			more[i].Short = more[i].Short && more[i].Cause == ""
		}
		results, err = append(results, more...), errors.Join(err, askErr)
	}
	return results, err
}

// ask judges a part; lost are the kinds of evidence that may be missing.
func (d *day) ask(ctx context.Context, p scenario.Part, name string, lost ...string) ([]judge.Result, error) {
	nodes := []string{d.plan.Node}
	r, err := d.Ask(ctx, name, nodes, nil)
	if err != nil {
		return nil, err
	}
	for _, h := range r.Holes(nodes) {
		d.Lab.Say("not all evidence was at hand: %s", h)
	}
	return e2e.Compare([]e2e.Plan{d.plan}, p.Scenarios, r, e2e.FirstRound), r.Lacking(nodes, lost...)
}

func (d *day) up(ctx context.Context) error {
	if d.client != nil {
		return nil
	}
	spec := cluster.NodeSpec{Name: d.plan.Node, Version: d.plan.Version, Kind: machine.Emulated}
	if err := d.Lab.Up(ctx, []cluster.NodeSpec{spec}); err != nil {
		return err
	}
	var err error
	d.client, err = d.Lab.Client()
	return err
}

// provoke creates a part's pods a few at a time, lets its event happen and returns when every truth can be observed.
func (d *day) provoke(ctx context.Context, p scenario.Part) error {
	ctx, cancel := context.WithTimeout(ctx, todayLimit)
	defer cancel()
	h, node := e2e.NewHands(d.Lab, d.client), d.plan.Node
	if !reflect.DeepEqual(p.Kubelet, d.kubelet) {
		if err := d.Lab.Configure(ctx, node, p.Kubelet); err != nil {
			return err
		}
		d.kubelet = p.Kubelet
	}
	if p.Before != nil {
		if err := p.Before(ctx, h, node); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(p.Scenarios, todayBatch) {
		if err := e2e.MakePods(ctx, d.client, node, some); err != nil {
			return err
		}
		if err := e2e.Await(ctx, d.client, []string{node}, some, "start", started); err != nil {
			return err
		}
		d.Lab.Say("part %s: %d pods more", p.Name, len(some))
	}
	var happened time.Time
	if p.Happens != nil {
		if err := e2e.Await(ctx, d.client, []string{node}, p.Scenarios, "run", ran); err != nil {
			return err
		}
		if err := machine.Pause(ctx, settled); err != nil {
			return err
		}
		happened = time.Now()
		if err := p.Happens(ctx, h, node); err != nil {
			return err
		}
	}
	acted := slices.DeleteFunc(slices.Clone(p.Scenarios), func(s scenario.Scenario) bool { return s.Act == nil })
	for some := range slices.Chunk(acted, todayActs) {
		if err := e2e.ActAll(ctx, h, []string{node}, some); err != nil {
			return err
		}
	}
	return e2e.Await(
		ctx,
		d.client,
		[]string{node},
		p.Scenarios,
		"provoke",
		func(s scenario.Scenario, pod *corev1.Pod) bool {
			if len(s.Truths) == 0 {
				return pod.Status.Phase == corev1.PodRunning
			}
			return s.Observable(pod) || forgotten(s, pod, happened)
		},
	)
}

// forgotten reports whether the API knows at most the number of a pod's exits and will not learn more: on a slow node
// the kubelet may collect the old container as garbage before it has reported its exit, while the new one is created.
// happened is when something happened to the whole node; what runs since then is another container.
func forgotten(s scenario.Scenario, pod *corev1.Pod, happened time.Time) bool {
	for _, t := range s.Truths {
		c := scenario.StatusOf(pod, t.Container)
		if c == nil {
			return false
		}
		// A pod that a kubelet ended before its machine went down runs again if its end did not reach the API in time.
		anew := !happened.IsZero() && c.State.Running != nil && c.State.Running.StartedAt.After(happened)
		if (s.Ends || c.RestartCount < s.Restarts) && !anew {
			return false
		}
		if c.LastTerminationState.Terminated == nil &&
			(c.State.Running == nil || time.Since(c.State.Running.StartedAt.Time) < settled) {
			return false
		}
	}
	return true
}

// started reports whether a pod's containers were started: all of them, or the first of its init containers.
func started(_ scenario.Scenario, pod *corev1.Pod) bool {
	for _, s := range pod.Status.InitContainerStatuses {
		if s.ContainerID != "" && s.State.Terminated == nil {
			return true
		}
	}
	made := func(s corev1.ContainerStatus) bool { return s.ContainerID != "" }
	return len(pod.Status.ContainerStatuses) > 0 &&
		!slices.ContainsFunc(pod.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool { return !made(s) })
}

// ran reports whether each of a pod's containers runs or has run: a container that was only created cannot exit.
func ran(_ scenario.Scenario, pod *corev1.Pod) bool {
	return len(pod.Status.ContainerStatuses) > 0 &&
		!slices.ContainsFunc(pod.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
			return s.State.Running == nil && s.State.Terminated == nil && s.LastTerminationState.Terminated == nil
		})
}

// clear removes every pod of the node and returns when none is left.
func (d *day) clear(ctx context.Context) error {
	if d.client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, todayLimit)
	defer cancel()
	pods, began := d.client.Pods(scenario.Namespace(d.plan.Node)), time.Now()
	for {
		list, err := pods.List(ctx, metav1.ListOptions{})
		if err != nil {
			return fmt.Errorf("remove pods: %w", err)
		}
		if len(list.Items) == 0 {
			return nil
		}
		// A runtime that a part has damaged may never report that a container is gone, and the next part needs none of
		// them.
		o := metav1.DeleteOptions{}
		late := time.Since(began) > clearPatience
		if late {
			o.GracePeriodSeconds = new(int64)
		}
		for _, p := range list.Items {
			if p.DeletionTimestamp != nil && !late {
				continue
			}
			if err := pods.Delete(ctx, p.Name, o); err != nil && !apierrors.IsNotFound(err) {
				return fmt.Errorf("remove pod %s: %w", p.Name, err)
			}
		}
		if err := machine.Pause(ctx, e2e.Poll); err != nil {
			return fmt.Errorf("remove pods: %d are left: %w", len(list.Items), err)
		}
	}
}

func (d *day) record(ctx context.Context, p scenario.Part, since time.Duration) error {
	file := filepath.Join(d.corpus, "lab-"+d.plan.Version+"-today-"+p.Name)
	// The clock may have been set forward and back meanwhile.
	since += time.Minute
	if err := d.CollectAll(ctx, d.plan.Node, file+".tar.zst", "--since="+since.Round(time.Second).String()); err != nil {
		return err
	}
	if err := os.WriteFile(file+".yaml", []byte(partTruths(d.plan, p)), 0o644); err != nil {
		return fmt.Errorf("record corpus: %w", err)
	}
	d.Lab.Say("recorded %s", file)
	return nil
}

// partTruths returns the head of a part's corpus entry. It leaves out truths that no evidence on a node distinguishes
// from others.
func partTruths(plan e2e.Plan, p scenario.Part) string {
	text := fmt.Sprintf("title: A node with cgroup v2, systemd's cgroups and containerd 2, kubelet %s (%s)\n"+
		"from: lab\n"+
		"collectedAt: 2026-01-01T00:00:00Z # the bundle's own counts\ntruths:\n", plan.Version, p.Name)
	for _, s := range p.Scenarios {
		for _, c := range e2e.Cases(plan, s, e2e.FirstRound) {
			if !c.Undecidable {
				text += e2e.Truth(c)
			}
		}
	}
	return text
}

package hashcmd

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/manifest"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// completePod parses the pod; it rejects what only goes with files.
func (o *Options) completePod(args []string) error {
	if len(o.files) > 0 {
		return command.Usage("hash takes a pod or a file with -f, not both: got %q too", args[0])
	}
	if o.sources.Node != "" && len(o.sources.From) == 0 {
		return command.Usage("--node needs --from")
	}
	if err := o.scope.Complete(o.sources.Conn, args); err != nil {
		return err
	}
	if !o.scope.OnePod() {
		return command.Usage("hash takes a pod, not %s", args[0])
	}
	return o.sources.Validate(&o.scope)
}

// runPod explains the stored hashes of a pod. Missing evidence affects only the answer that needs it.
func (o *Options) runPod(ctx context.Context) error {
	if !o.sources.Recorded() {
		o.sources.Neighbours = forensics.Wide
	}
	table, puzzles, err := o.examine(ctx, command.NewProgress(o.env))
	if table == nil {
		return err
	}
	if len(puzzles) > 0 && o.sources.Recorded() && !slices.Contains(o.sources.From, "-") {
		// A recording may hold a whole cluster: similar specs are computed only for a hash that needs them.
		o.sources.Neighbours, o.sources.SameSpec = forensics.Wide, puzzles
		table, _, err = o.examine(ctx, &command.ProgressBar{W: io.Discard})
		if table == nil {
			return err
		}
	}
	command.Gaps(o.env.Streams.ErrOut, table.missing, true)
	return errors.Join(table.print(o.env, o.format), err)
}

// examine gathers the evidence and explains every stored hash. puzzles are the containers with an unexplained hash, if
// similar specs were not hashed. An error along with a table is about what could not be read although something else
// could.
func (o *Options) examine(ctx context.Context, p *command.ProgressBar) (table *listing,
	puzzles map[command.Likeness]bool, err error) {
	g, err := o.sources.Gather(ctx, &o.scope, p)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	s := g.Snapshot()
	pod, err := o.scope.Find("hash", s)
	if err != nil {
		return nil, nil, errors.Join(err, g.Err)
	}
	questions, err := o.questions(s, pod)
	if err != nil {
		return nil, nil, err
	}
	table = &listing{HashListing: report.HashListing{Pod: pod.Name, Namespace: pod.Namespace, Node: pod.Node,
		Items: []report.HashItem{}, Stored: []report.Provenance{}}}
	for _, gap := range s.Gaps {
		if gap.Source == evidence.SourceAPI { // it may be why nothing matches
			table.missing = append(table.missing, gap)
		}
	}
	puzzles = map[command.Likeness]bool{}
	for i := range questions {
		q := &questions[i]
		table.NodeKubelet = q.Kubelet
		answers := forensics.Examine(*q)
		table.Stored = append(table.Stored, answers...)
		table.Items = append(table.Items, forensics.ByVersion(&q.Spec, i+1, o.kubelets, o.second)...)
		if len(q.Spec.Searched) == 0 &&
			slices.ContainsFunc(answers, func(a report.Provenance) bool { return a.Origin == report.FromUnknown }) {
			puzzles[command.Likeness{Name: q.Spec.Name, Image: q.Spec.Image}] = true
		}
	}
	return table, puzzles, g.Err
}

func (o *Options) questions(s *evidence.Snapshot, pod *evidence.Pod) ([]forensics.Question, error) {
	var chosen []forensics.Question
	var names []string
	for _, q := range forensics.Questions(s, pod) {
		names = append(names, q.Spec.Name)
		if o.container == "" || q.Spec.Name == o.container {
			chosen = append(chosen, q)
		}
	}
	if len(chosen) == 0 {
		return nil, command.Usage("no container %q in %s: want one of %s", o.container, pod.Name, strings.Join(names, ", "))
	}
	if o.stored != "" {
		if len(chosen) > 1 {
			return nil, command.Usage("--stored: which container is it for? name it with -c: %s", strings.Join(names, ", "))
		}
		chosen[0].Stored = []forensics.Stored{o.given()}
	}
	return chosen, nil
}

// given is the hash from --stored.
func (o *Options) given() forensics.Stored {
	return forensics.Stored{Attempt: -1, Hash: safetext.Ident(o.stored)}
}

func (o *Options) explainStored(t *listing, pods []manifest.Pod) error {
	var spec *corev1.Container
	var kind evidence.ContainerKind
	chosen := 0
	for i := range pods {
		for c, of := range apiobject.Containers(&pods[i].Template.Spec) {
			if o.container == "" || c.Name == o.container {
				spec, kind, chosen = c, of, chosen+1
			}
		}
	}
	if chosen != 1 {
		return command.Usage("--stored: which container is it for? there are %d; name one with -c", chosen)
	}
	q := forensics.Question{
		Spec: evidence.Container{Name: safetext.Ident(spec.Name), Kind: kind, Image: safetext.Ident(spec.Image),
			Hashes: forensics.Present(spec), Searched: forensics.Search(spec, forensics.Past{}, forensics.Wide)},
		Stored: []forensics.Stored{o.given()},
	}
	for _, of := range [][]evidence.SpecHash{q.Spec.Hashes, q.Spec.Searched} {
		for i := range of {
			of[i].Image = q.Spec.Image
		}
	}
	t.Stored = forensics.Examine(q)
	return nil
}

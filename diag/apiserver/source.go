package apiserver

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Source reads the API server once.
type Source struct {
	client kube.Client
	scope  Scope
	hash   apiobject.Hasher
	o      Options

	mu    sync.Mutex // an abandoned Collect may still be running
	nodes []string
	err   error
	last  *run // what was read, for a Watcher
}

// Name is the source's name for people.
func (s *Source) Name() string { return string(evidence.SourceAPI) }

// Namespace is the one whose pods and events are read, "" for all.
func (s *Source) Namespace() string { return s.scope.Namespace }

// Nodes returns the names of the nodes in scope, sorted: where its pods run, and those that were named. Valid after
// Collect.
func (s *Source) Nodes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.nodes)
}

// Err returns what was requested but could not be read: a named pod or node, a namespace that does not exist, or the
// pods at all. Other missing data is a gap and not an error. It joins AccessErrors. Valid after Collect.
func (s *Source) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Collect reads pods and their events in parallel, then the nodes. It returns what it got when the context ends or the
// byte budget is used up, with gaps for the rest.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, s.o.Timeout)
	defer cancel()
	r := newRun(s)
	go func() {
		defer close(r.eventsRead)
		r.podEvents(ctx)
	}()
	r.pods(ctx)
	<-r.eventsRead
	nodes := r.nodeNames()
	var owners sync.WaitGroup
	owners.Go(func() { r.readOwners(ctx) })
	if len(r.piece.Pods) > 0 || len(s.scope.Nodes) > 0 {
		r.readNodes(ctx, nodes)
	}
	owners.Wait()
	r.sift(nodes)
	r.fit.Answers(r.piece.Readmit)
	err := errors.Join(r.errs...)

	s.mu.Lock()
	s.nodes, s.err, s.last = nodes, err, r
	s.mu.Unlock()
	if r.piece.Empty() && err != nil {
		return nil, r.gaps
	}
	r.piece.Sort()
	return []evidence.RawEvidence{r.piece}, r.gaps
}

// run is one collection in progress. Requests run in parallel; mu guards what they fill.
type run struct {
	*Source
	budget     budget
	began      time.Time
	eventsRead chan struct{}

	mu    sync.Mutex
	piece *apiobject.Piece
	known map[string]int                     // index of a pod by UID: a list that restarts repeats pods
	seen  apiobject.ImagesSeen               // complete once eventsRead is closed
	past  map[types.UID][]apiobject.Revision // by the UID of the pods' owner
	fit   readmission.Checker
	// toldOf holds the pods that have events, by namespace and name; built on first use.
	toldOf   map[string]bool
	standIns standIns
	gaps     []evidence.Gap
	errs     []error
	// versions are those of the lists that were read to the end.
	versions map[query]string
	// asked are controllers for which a request failed.
	asked map[apiobject.OwnerKey]bool
}

// reached records the version of a list that was read to the end.
func (r *run) reached(q query, version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.versions[q] = version
}

func newRun(s *Source) *run {
	r := &run{
		Source: s, began: s.o.Now(), eventsRead: make(chan struct{}), piece: &apiobject.Piece{},
		known: map[string]int{}, seen: apiobject.ImagesSeen{}, past: map[types.UID][]apiobject.Revision{},
		fit:      readmission.NewChecker(),
		standIns: standIns{map[types.UID]bool{}, map[string]standIn{}},
		versions: map[query]string{}, asked: map[apiobject.OwnerKey]bool{},
	}
	r.budget.left.Store(s.o.MaxBytes)
	return r
}

// failed records that something requested could not be read: as an error for the caller, and as a gap for the report.
func (r *run) failed(e *kube.AccessError, consequence string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, e)
	r.gaps = append(r.gaps, e.Gap(consequence))
}

// missing records that something other than the pods could not be read.
func (r *run) missing(e *kube.AccessError, consequence string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps = append(r.gaps, e.Gap(consequence))
}

// each calls f for every element, several in parallel, and waits for all.
func each[T any](of []T, f func(T)) {
	slots := make(chan struct{}, parallel)
	var wg sync.WaitGroup
	for _, v := range of {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(v)
		})
	}
	wg.Wait()
}

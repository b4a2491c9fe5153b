package systemd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// Bus is what we read of systemd. The real one uses D-Bus; values have D-Bus types: string, uint64, uint32, int32 …
type Bus interface {
	// UnitProperty reads a property of org.freedesktop.systemd1.Unit.
	UnitProperty(ctx context.Context, unit, name string) (any, error)
	// ServiceProperty reads a property of org.freedesktop.systemd1.Service.
	ServiceProperty(ctx context.Context, unit, name string) (any, error)
	Close()
}

// Options say how to reach systemd. The zero value is for the machine we run on.
type Options struct {
	// Node is the node's name in the cluster; it names the file.
	Node string
	// Root is where the node's file system is mounted, for the sockets below it; / if empty.
	Root string
	// Dial connects to systemd; over D-Bus if nil.
	Dial func(ctx context.Context, root string) (Bus, error)
	// Timeout ends the collection; 10 seconds if zero.
	Timeout time.Duration
	// Now is the clock; clock.Now if nil.
	Now func() time.Time
}

// Source reads unit states of this machine's systemd.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	o.Root = cmp.Or(o.Root, "/")
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	if o.Dial == nil {
		o.Dial = dial
	}
	o.Now = clock.Or(o.Now)
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "systemd" }

func (s *Source) gap(why, hint string) evidence.Gap {
	return evidence.Gap{Source: evidence.SourceSystemd, Node: s.o.Node, Why: why, Hint: hint}
}

// Collect reads the units of kubelets and runtimes. It leaves out units that the node does not have; if it has none of
// them, that is a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, s.o.Timeout)
	defer cancel()
	bus, err := s.connect(ctx)
	if err != nil {
		hint := cmp.Or(hostfiles.Hint(err), "run on a node with systemd")
		return nil, []evidence.Gap{s.gap(fmt.Sprintf("connect to systemd: %v", err), hint)}
	}
	defer bus.Close()

	var gaps []evidence.Gap
	out := units{Units: []unit{}}
	for _, name := range slices.Sorted(slices.Values(evidence.AllUnits())) {
		u, err := ask(ctx, bus, name)
		if err != nil {
			gaps = append(gaps, s.gap(fmt.Sprintf("ask systemd for %s: %v", name, err), ""))
			if ctx.Err() != nil {
				break
			}
		}
		if err == nil {
			pace.Step(ctx)
		}
		if u.LoadState != "" && u.LoadState != "not-found" {
			out.Units = append(out.Units, u)
		}
	}
	if len(out.Units) == 0 {
		if len(gaps) == 0 {
			gaps = append(gaps, s.gap("find the units of kubelet and runtime: systemd has none of "+
				strings.Join(evidence.AllUnits(), ", "), "name the kubelet's unit"))
		}
		return nil, gaps
	}
	out.CollectedAt = s.o.Now().UTC()
	return nodefile.Store(evidence.SourceSystemd, s.o.Node, "units.json", out, out.CollectedAt, NewPiece, gaps)
}

// connect dials, but does not wait longer than ctx: the handshake with a hanging bus cannot be interrupted.
func (s *Source) connect(ctx context.Context) (Bus, error) {
	type answer struct {
		bus Bus
		err error
	}
	c := make(chan answer, 1)
	go func() {
		bus, err := s.o.Dial(ctx, s.o.Root)
		c <- answer{bus, err}
	}()
	select {
	case a := <-c:
		return a.bus, a.err
	case <-ctx.Done():
		go func() {
			if a := <-c; a.bus != nil {
				a.bus.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// ask reads the properties of one unit. On an error it returns those that it has so far.
func ask(ctx context.Context, bus Bus, name string) (unit, error) {
	u := unit{Name: name}
	var failed error
	get := func(of func(context.Context, string, string) (any, error), property string, into any) {
		if failed != nil {
			return
		}
		v, err := of(ctx, name, property)
		if err == nil {
			err = assign(into, v)
		}
		if err != nil {
			failed = fmt.Errorf("%s: %w", property, err)
		}
	}
	get(bus.UnitProperty, "LoadState", &u.LoadState)
	if failed != nil || u.LoadState == "not-found" {
		return u, failed
	}
	get(bus.UnitProperty, "ActiveState", &u.ActiveState)
	get(bus.UnitProperty, "SubState", &u.SubState)
	get(bus.UnitProperty, "StateChangeTimestamp", &u.StateChangeTimestamp)
	get(bus.UnitProperty, "ActiveEnterTimestamp", &u.ActiveEnterTimestamp)
	get(bus.UnitProperty, "ActiveExitTimestamp", &u.ActiveExitTimestamp)
	get(bus.UnitProperty, "InactiveEnterTimestamp", &u.InactiveEnterTimestamp)
	get(bus.ServiceProperty, "Result", &u.Result)
	get(bus.ServiceProperty, "ExecMainPID", &u.ExecMainPID)
	get(bus.ServiceProperty, "ExecMainStartTimestamp", &u.ExecMainStartTimestamp)
	get(bus.ServiceProperty, "ExecMainExitTimestamp", &u.ExecMainExitTimestamp)
	get(bus.ServiceProperty, "ExecMainCode", &u.ExecMainCode)
	get(bus.ServiceProperty, "ExecMainStatus", &u.ExecMainStatus)
	get(bus.ServiceProperty, "KillMode", &u.KillMode)
	get(bus.ServiceProperty, "NRestarts", &u.NRestarts) // last: systemd before 235 has none
	return u, failed
}

// assign stores a D-Bus value in a field, whatever the width of the number.
func assign(into, v any) error {
	switch to := into.(type) {
	case *string:
		if s, ok := v.(string); ok {
			*to = s
			return nil
		}
	case *int64:
		if n, ok := v.(int32); ok {
			*to = int64(n)
			return nil
		}
		if n, ok := v.(int64); ok {
			*to = n
			return nil
		}
	case *uint64:
		if n, ok := unsigned(v); ok {
			*to = n
			return nil
		}
	case **uint64:
		if n, ok := unsigned(v); ok {
			*to = &n
			return nil
		}
	}
	return fmt.Errorf("unexpected type %T", v)
}

func unsigned(v any) (uint64, bool) {
	switch n := v.(type) {
	case uint32:
		return uint64(n), true
	case uint64:
		return n, true
	}
	return 0, false
}

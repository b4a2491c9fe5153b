package systemd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

var (
	at      = time.Date(2026, 11, 21, 7, 12, 0, 0, time.UTC)
	entered = at.Add(-time.Hour)
	failed  = at.Add(-time.Minute)
)

func us(t time.Time) uint64 { return uint64(t.UnixMicro()) }

// fakeBus answers from a map; an error stands for a property that is not there.
type fakeBus struct {
	values map[string]any // "kubelet.service ActiveState" → value
	asked  []string
	closed bool
}

func (b *fakeBus) get(unit, name string) (any, error) {
	b.asked = append(b.asked, name)
	v, ok := b.values[unit+" "+name]
	if !ok && name == "LoadState" {
		return "not-found", nil
	}
	if !ok {
		v = errors.New("unknown property")
	}
	if err, isErr := v.(error); isErr {
		return nil, err
	}
	return v, nil
}

func (b *fakeBus) UnitProperty(_ context.Context, unit, name string) (any, error) {
	return b.get(unit, name)
}

func (b *fakeBus) ServiceProperty(_ context.Context, unit, name string) (any, error) {
	return b.get(unit, name)
}
func (b *fakeBus) Close() { b.closed = true }

// kubeletUp is a kubelet that runs, after systemd restarted it twice.
func kubeletUp() map[string]any {
	m := map[string]any{}
	for name, v := range map[string]any{
		"LoadState": "loaded", "ActiveState": "active", "SubState": "running",
		"StateChangeTimestamp": us(entered), "ActiveEnterTimestamp": us(entered),
		"ActiveExitTimestamp": uint64(0), "InactiveEnterTimestamp": uint64(0),
		"Result": "success", "ExecMainPID": uint32(968), "ExecMainStartTimestamp": us(entered),
		"ExecMainExitTimestamp": uint64(0),
		"ExecMainCode":          int32(0), "ExecMainStatus": int32(0), "KillMode": "process", "NRestarts": uint32(2),
	} {
		m["kubelet.service "+name] = v
	}
	return m
}

func collect(t *testing.T, bus *fakeBus, o Options) (*evidence.Snapshot, []evidence.Gap, string) {
	t.Helper()
	o.Node, o.Now = "n1", func() time.Time { return at }
	if o.Dial == nil {
		o.Dial = func(context.Context, string) (Bus, error) { return bus, nil }
	}
	pieces, gaps := New(o).Collect(context.Background())
	s, stored := filetest.Observed(t, at, pieces)
	return s, gaps, stored
}

func TestCollectTellsHowAUnitIsDoing(t *testing.T) {
	base := evidence.UnitState{Unit: "kubelet.service", Active: "active",
		Sub: "running", Result: "success", NRestarts: 2, MainPID: 968, ActiveEnterTime: entered,
		KillMode: "process"}
	cases := map[string]struct {
		change map[string]any
		want   func(*evidence.UnitState)
		at     time.Time
		text   string
		gap    string
	}{
		"up, restarted by systemd before": {nil, func(*evidence.UnitState) {},
			entered, "kubelet.service active (running) since 2026-11-21T06:12:00Z, restarted 2 times by systemd", ""},
		"failed": {map[string]any{"ActiveState": "failed", "SubState": "failed",
			"Result": "exit-code", "StateChangeTimestamp": us(failed), "NRestarts": uint32(0)},
			func(s *evidence.UnitState) {
				s.Active, s.Sub, s.Result, s.NRestarts, s.MainPID = "failed", "failed", "exit-code", 0, 0
			}, failed,
			"kubelet.service failed (failed) since 2026-11-21T06:12:00Z, result exit-code", ""},
		"killed": {map[string]any{"ActiveState": "failed", "SubState": "failed",
			"Result": "signal", "ExecMainExitTimestamp": us(failed), "ExecMainCode": int32(2),
			"ExecMainStatus": int32(9), "KillMode": "control-group", "NRestarts": uint32(0)},
			func(s *evidence.UnitState) {
				s.Active, s.Sub, s.Result, s.NRestarts, s.MainPID = "failed", "failed", "signal", 0, 0
				s.ExitTime, s.ExitCode, s.ExitStatus, s.KillMode = failed, "killed", 9, "control-group"
			}, entered,
			"kubelet.service failed (failed) since 2026-11-21T06:12:00Z, result signal, main process killed 9 at " +
				failed.Format(time.RFC3339), ""},
		"a systemd that does not count restarts": {map[string]any{"NRestarts": errors.New("Unknown property")},
			func(s *evidence.UnitState) {
				s.NRestarts = 0
			}, entered, "kubelet.service active (running) since 2026-11-21T06:12:00Z", "NRestarts: Unknown property"},
		"a unit that never started": {map[string]any{"ActiveState": "inactive",
			"SubState": "dead", "StateChangeTimestamp": uint64(0), "ActiveEnterTimestamp": uint64(0),
			"NRestarts": uint32(0), "ExecMainPID": uint32(0)},
			func(s *evidence.UnitState) {
				s.Active, s.Sub, s.NRestarts, s.MainPID, s.ActiveEnterTime = "inactive", "dead", 0, 0, time.Time{}
			}, at, "kubelet.service inactive (dead)", ""},
		"a timestamp out of this world": {map[string]any{"ActiveEnterTimestamp": ^uint64(0)},
			func(s *evidence.UnitState) { s.ActiveEnterTime = time.Time{} }, entered,
			"kubelet.service active (running), restarted 2 times by systemd", ""},
		"a value of another type": {map[string]any{"SubState": 7},
			func(s *evidence.UnitState) { *s = evidence.UnitState{Unit: s.Unit, Active: "active"} }, at,
			"kubelet.service active ()", "SubState: unexpected type int"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bus := &fakeBus{values: kubeletUp()}
			for k, v := range c.change {
				bus.values["kubelet.service "+k] = v
			}
			s, gaps, _ := collect(t, bus, Options{})
			if (c.gap == "") != (len(gaps) == 0) || c.gap != "" && !strings.Contains(gaps[0].Why, c.gap) || len(s.Gaps) != 0 {
				t.Errorf("gaps %+v %+v, want %q", gaps, s.Gaps, c.gap)
			}
			if len(s.Observations) != 1 {
				t.Fatalf("observations %+v", s.Observations)
			}
			want, o := base, s.Observations[0]
			c.want(&want)
			if d := cmp.Diff(want, o.Fact); d != "" {
				t.Error(d)
			}
			if !o.Time.Equal(c.at) || o.Text.String() != c.text || o.Subject.Node != "n1" ||
				o.Source.Where != "nodes/n1/units.json" {
				t.Errorf("at %v: %q, subject %+v", o.Time, o.Text, o.Subject)
			}
			if !bus.closed {
				t.Error("the connection was left open")
			}
		})
	}
}

func TestNothingSecretIsAskedFor(t *testing.T) {
	bus := &fakeBus{values: kubeletUp()}
	collect(t, bus, Options{})
	for _, name := range bus.asked {
		if strings.HasPrefix(name, "Environment") || name == "ExecStart" || name == "PassEnvironment" {
			t.Errorf("property %s was asked for", name)
		}
	}
	if len(bus.asked) < 14 {
		t.Errorf("only %d properties were asked for", len(bus.asked))
	}
}

func TestNoSystemdIsAGapWithAHint(t *testing.T) {
	cases := map[string]struct {
		o    Options
		want string
		hint string
	}{
		"no socket": {Options{Dial: func(context.Context, string) (Bus, error) { return nil, fs.ErrNotExist }},
			"connect to systemd: file does not exist", "with systemd"},
		"no right": {Options{Dial: func(context.Context, string) (Bus, error) {
			return nil, fmt.Errorf("dial: %w", fs.ErrPermission)
		}}, "permission denied", "as root"},
		"no kubelet": {Options{Dial: func(context.Context, string) (Bus, error) { return &fakeBus{}, nil }},
			"systemd has none of kubelet.service", "unit"},
		"a bus that hangs": {Options{Timeout: 20 * time.Millisecond, Dial: func(ctx context.Context, _ string) (Bus, error) {
			<-t.Context().Done()
			return &fakeBus{}, nil
		}}, "deadline exceeded", "with systemd"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, gaps, _ := collect(t, nil, c.o)
			if len(s.Observations) != 0 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, c.want) ||
				!strings.Contains(gaps[0].Hint, c.hint) {
				t.Errorf("%d observations, gaps %+v", len(s.Observations), gaps)
			}
		})
	}
}

func TestABrokenFileCostsOnlyItself(t *testing.T) {
	cases := map[string]struct {
		data      string
		wantFacts int
		wantGap   string
	}{
		"half a file":                {`{"units":[{"name":`, 0, "not JSON"},
		"an entry of another shape":  {`{"units":[{"name":1},{"name":"a.service"}]}`, 1, "1 of 2 entries"},
		"an entry without a name":    {`{"units":[{}]}`, 0, ""},
		"an older file without time": {`{"units":[{"name":"a.service"}]}`, 1, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(at)
			NewPiece("n1", evidence.Bytes("nodes/n1/units.json", []byte(c.data)), at).Observe(b)
			s := b.Build()
			if len(s.Observations) != c.wantFacts || (c.wantGap == "") != (len(s.Gaps) == 0) ||
				c.wantGap != "" && !strings.Contains(s.Gaps[0].Why, c.wantGap) {
				t.Errorf("%d facts, gaps %+v", len(s.Observations), s.Gaps)
			}
			for _, o := range s.Observations {
				if !o.Time.Equal(at) {
					t.Errorf("time %v, want the bundle's", o.Time)
				}
			}
		})
	}
}

func FuzzPiece(f *testing.F) {
	f.Add(
		[]byte(
			`{"collectedAt":"2026-11-21T07:12:00Z","units":[{"name":"kubelet.service","activeState":"active","activeEnterTimestamp":1795243920000000,"nRestarts":2,"execMainPID":968}]}`))
	f.Add([]byte(`{"units":[{"name":"x","nRestarts":18446744073709551615,"stateChangeTimestamp":18446744073709551615}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := evidence.NewBuilder(at)
		NewPiece("n1", evidence.Bytes("nodes/n1/units.json", data), at).Observe(b)
		for _, o := range b.Build().Observations {
			s := o.Fact.(evidence.UnitState)
			if s.NRestarts < 0 || s.MainPID < 0 || s.ActiveEnterTime.Year() > 9999 {
				t.Fatalf("%+v from %q", s, data)
			}
		}
	})
}

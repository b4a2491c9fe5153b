package history_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// files are those of a log directory, a minute each.
func files(numbers ...int) evidence.ContainerLogs {
	var f evidence.ContainerLogs
	for _, n := range numbers {
		begin := float64(n * 60)
		f.Attempts = append(f.Attempts, evidence.LoggedAttempt{Number: n, Begun: at(begin), Changed: at(begin + 50)})
	}
	return f
}

func TestTheLogDirectoryRemembersWhatNothingElseDoes(t *testing.T) {
	running := func(attempt int) evidence.ContainerRecord {
		return evidence.ContainerRecord{State: evidence.StateRunning, Attempt: attempt,
			Started: at(float64(attempt * 60)), RestartCount: attempt}
	}
	last := func(start float64) evidence.ContainerRecord {
		code := int32(1)
		return evidence.ContainerRecord{State: evidence.StateExited, Attempt: -1,
			Last: true, Started: at(start), Finished: at(start + 50), ExitCode: &code, RestartCount: -1}
	}
	cases := map[string]struct {
		logs   evidence.ContainerLogs
		now    *evidence.ContainerRecord
		last   *evidence.ContainerRecord
		logged []int // attempts of old instances that are known only from their file, newest first
		others int   // other restarts
	}{
		"files and nothing else":           {files(0, 1, 2), nil, nil, []int{1, 0}, 0},
		"the present one is known":         {files(0, 1, 2), new(running(2)), nil, []int{1, 0}, 0},
		"the last state is the one before": {files(0, 1, 2), new(running(2)), new(last(60)), []int{0}, 1},
		"all of them are known":            {files(1, 2), new(running(2)), new(last(60)), nil, 1},
		"a hole":                           {files(0, 3), new(running(3)), nil, []int{0}, 0},
		"one file, never restarted":        {files(0), new(running(0)), nil, nil, 0},
		"one file and nothing else":        {files(0), nil, nil, nil, 0},
		"none":                             {files(), new(running(0)), nil, nil, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New().Add("kubelet-dir", analyzertest.Never, named("a", "", ""), c.logs)
			if c.now != nil {
				s.Add(evidence.SourceAPI, 0, named("a", "2a", ""), *c.now)
			}
			if c.last != nil {
				s.Add(evidence.SourceAPI, 110, named("a", "1a", ""), *c.last)
			}
			tl := history.Build(s.Snapshot())
			var logged []int
			others := 0
			for i := len(tl.Restarts) - 1; i >= 0; i-- {
				r := tl.Restarts[i]
				if r.From.Logged == nil {
					others++
					continue
				}
				logged = append(logged, r.From.Attempt)
				if len(r.From.Records) != 1 || r.From.ExitCode != nil || !r.From.Finished.IsZero() ||
					!r.From.Created.Equal(at(float64(r.From.Attempt*60))) {
					t.Errorf("it knows more than the file tells: %+v", r.From)
				}
				if r.To == nil || r.To.Attempt >= 0 && r.To.Attempt != r.From.Attempt+1 {
					t.Errorf("attempt %d was followed by %+v", r.From.Attempt, r.To)
				}
			}
			if len(logged) != len(c.logged) || others != c.others {
				t.Fatalf("logged %v and %d others, want %v and %d: %v", logged, others, c.logged, c.others, pairs(tl))
			}
			for i := range logged {
				if logged[i] != c.logged[i] {
					t.Errorf("logged %v, want %v", logged, c.logged)
				}
			}
		})
	}
}

func TestAFileOfAnotherTimeIsNotTheLastStates(t *testing.T) {
	code := int32(1)
	s := analyzertest.New().Add("kubelet-dir", analyzertest.Never, named("a", "", ""), files(0))
	s.Add(evidence.SourceAPI, 2000, named("a", "1a", ""),
		evidence.ContainerRecord{State: evidence.StateExited, Attempt: -1, Last: true,
			Started: at(1900), Finished: at(2000), ExitCode: &code, RestartCount: -1})
	s.Add(evidence.SourceAPI, 2001, named("a", "2a", ""),
		evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 2, Started: at(2001), RestartCount: 2})
	tl := history.Build(s.Snapshot())
	if len(tl.Restarts) != 2 || tl.Restarts[0].From.Logged == nil || tl.Restarts[1].From.ID != "1a" {
		t.Errorf("%v", pairs(tl))
	}
}

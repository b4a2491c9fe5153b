package screens

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// byName answers with the name of what it was asked about.
type byNameOnly struct{ report.DetailProvider }

func (byNameOnly) ItemDetail(id string) (*report.ItemDetail, error) {
	return &report.ItemDetail{Item: id}, nil
}

func (byNameOnly) Neighbors(id string, _ int) ([]report.Evidence, error) {
	return []report.Evidence{{ID: id}}, nil
}

// An answer about something that the reader has left does not show up elsewhere.
func TestLateAnswersAreDropped(t *testing.T) {
	ds := dataset.New(sample.Repeated(), byNameOnly{})
	s := restartOf(newTable(ds, dataset.ByItem, nil), 0)
	late := s.Ask()
	s.walk(+1)
	late().(screen.Reply).Into()
	if s.detail != nil {
		t.Errorf("the detail of %s is shown for %s", s.detail.Item, s.it().ID)
	}
	s.Ask()().(screen.Reply).Into()
	if s.detail == nil || s.detail.Item != s.it().ID {
		t.Errorf("%+v is shown for %s", s.detail, s.it().ID)
	}
	e := &evidenceScreen{ds: ds, ids: []string{"e1", "e2"}, reach: firstReach}
	late = e.Ask()
	e.at = 1
	late().(screen.Reply).Into()
	if e.around != nil {
		t.Errorf("the neighbours of %s are shown for e2", e.around[0].ID)
	}
}

func TestCausesThatWereFoundComeFirst(t *testing.T) {
	f := &screen.Frame{Data: dataset.New(sample.Repeated(), nil).Indexed()}
	f.Causes = []screen.Cause{{ID: "app-exit-zero", Title: "It ended"},
		{ID: "oom-node", Title: "The node was full"}, {ID: "hash-kubelet-upgrade", Title: "The kubelet was upgraded"}}
	var rows []string
	for _, r := range causesPage(f)[0].(document.Table).Rows {
		rows = append(rows, r.Cells[0].String()+"|"+r.Cells[1].String()+"|"+r.Cells[2].String())
	}
	want := []string{"hash-kubelet-upgrade|3|The kubelet was upgraded", "app-exit-error|2|", "node-reboot|2|",
		"app-exit-zero|1|It ended", "oom-container-limit|1|", "oom-node| |The node was full"}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
}

package screens

import (
	"testing"

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
	rows := causeRows(f)
	if rows[0].id != "hash-kubelet-upgrade" || rows[0].found != 3 {
		t.Errorf("the first is %+v", rows[0])
	}
	titles := map[string]string{}
	for n, c := range rows {
		titles[c.id] = c.title
		if n > 0 && c.found > rows[n-1].found {
			t.Errorf("%s stands below %s", c.id, rows[n-1].id)
		}
	}
	if titles["oom-node"] == "" || titles["node-reboot"] != "" {
		t.Errorf("titles: %v", titles) // one is in the catalogue, one only in the report
	}
}

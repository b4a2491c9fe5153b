package pagecheck

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestEveryTextIsSpoiledAndWhatHoldsThePageTogetherIsNot(t *testing.T) {
	now := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	r := &report.Report{GeneratedAt: now, Tool: report.Tool{Version: "v1"},
		Items: []report.Item{{ID: "r1", Pod: "web-0", Node: "", ContainerKind: "app", Incident: "i1",
			Verdict: report.Verdict{Cause: "oom-node", Confidence: report.Proven,
				Chain: []report.Link{{Text: "a", Evidence: []string{"e1"}}}}}},
		Incidents: []report.Incident{{ID: "i1", Items: []string{"r1"}, Summary: "s"}},
		Evidence:  []report.Evidence{{ID: "e1", Text: "line"}}}
	got, err := spoiled(r, "OWNED")
	if err != nil {
		t.Fatal(err)
	}
	it := got.Items[0]
	if it.Pod != "OWNED" || it.Verdict.Cause != "OWNED" || it.Verdict.Chain[0].Text != "OWNED" ||
		got.Tool.Version != "OWNED" || got.Incidents[0].Summary != "OWNED" || got.Evidence[0].Text != "OWNED" {
		t.Errorf("a text is as it was: %+v", got)
	}
	if !got.GeneratedAt.Equal(now) || it.Node != "" || it.ContainerKind != "app" ||
		it.Verdict.Confidence != report.Proven {
		t.Errorf("a time, an empty text or a word of the program was changed: %+v", got)
	}
	if it.ID != "r1" || it.Incident != "i1" || got.Incidents[0].Items[0] != "r1" ||
		got.Evidence[0].ID != "e1" || it.Verdict.Chain[0].Evidence[0] != "e1" {
		t.Errorf("a link leads elsewhere: %+v", got)
	}
	if r.Items[0].Pod != "web-0" {
		t.Error("the report itself was changed")
	}
}

func TestEveryAttackReachesEveryPageAsText(t *testing.T) {
	all, err := pages(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	hostile := 0
	for _, p := range all {
		if len(p.html) < 4000 || !strings.HasSuffix(p.html, "</html>\n") {
			t.Errorf("%s is no page: %d bytes", p.name, len(p.html))
		}
		for _, want := range p.says {
			if !strings.Contains(p.html, want) {
				t.Errorf("%s does not say %q", p.name, want)
			}
		}
		if !p.hostile {
			continue
		}
		hostile++
		if strings.Count(p.html, "owned")+strings.Count(p.html, "WWW")+strings.Count(p.html, "many words")+
			strings.Count(p.html, "onmouseover") < 10 {
			t.Errorf("%s holds no attack", p.name)
		}
		if strings.Contains(p.html, "<script") || strings.Contains(p.html, "<iframe") {
			t.Errorf("%s: a text became markup", p.name)
		}
	}
	if hostile != 2*len(attacks) || len(all) != hostile+3 {
		t.Errorf("%d pages, %d hostile", len(all), hostile)
	}
}

func TestAStoryIsSpoiledToo(t *testing.T) {
	s, err := teller{stories{}, "OWNED"}.ItemDetail("r1")
	if err != nil || s.Item != "r1" || s.Lanes[0].Kind != report.LaneKubelet ||
		s.Lanes[0].Name != "OWNED" || s.Lanes[0].Marks[0].Text != "OWNED" {
		data, _ := json.Marshal(s)
		t.Errorf("%s, %v", data, err)
	}
}

// stories tells one story.
type stories struct{ report.DetailProvider }

func (stories) ItemDetail(id string) (*report.ItemDetail, error) {
	return &report.ItemDetail{Item: id, Activity: report.Activity{Lanes: []report.Lane{
		{Kind: report.LaneKubelet, Name: "kubelet", Marks: []report.Mark{{Text: "killing"}}}}}}, nil
}

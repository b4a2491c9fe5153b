package apiobject

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var documentsOfAllKinds = []string{
	`{"kind":"List","items":[{"kind":"Pod"},{"kind":"Node"}]}`,
	"{\n \"items\" : [\n  {\"a\":\"]},{\"} ,\n\t{}\r\n ],\n \"kind\": \"PodList\"}\n",
	`{"items":[],"kind":"List"}`, `{"items":null,"kind":"List"}`, `{"Items":[{}],"kind":"List"}`, `{"\u0069tems":[{}]}`,
	`{"items":[{"a":1}],"items":[{"b":2}]}`, `{"items":[{}],"ITEMS":[]}`, `{"metadata":{"items":[{}]},"kind":"Pod"}`,
	`{"kind":"items","items":[{"\\":"\"","a":[{},[]]}]}`, `{"kind":"List","items":[1,{},null]}`,
	`{"items":[[{}]]}`, `["items"]`, `{"items":7}`,
	`{"items":[{},]}`, `{"items":[{} {}]}`, `{"items":[{}`, `{"items":[{]}`,
	`{"items":[{"a}]}`, `{"items":[{}],}`, `{"items"}`, `{"items":`, `{} {}`, ``, `"`,
}

// Items are cut as encoding/json cuts them, where it reads the document at all.
func TestItemsAreCutAsTheyStand(t *testing.T) {
	for _, text := range documentsOfAllKinds {
		sameItems(t, []byte(text))
	}
}

func FuzzItems(f *testing.F) {
	for _, text := range documentsOfAllKinds {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { sameItems(t, data) })
}

func sameItems(t *testing.T, data []byte) {
	t.Helper()
	var want list
	if json.Unmarshal(data, &want) != nil {
		return // what is damaged within an item, the item's reader finds
	}
	got, err := itemsOf(data)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(EventReach{})); err != nil || diff != "" {
		t.Errorf("%q: %v (-want +got):\n%s", data, err, diff)
	}
}

// A list that ends in damage is read up to there, and does not count as complete.
func TestWhatStandsBeforeDamageCounts(t *testing.T) {
	event := `{"kind":"Event","metadata":{"name":"e%d"},"involvedObject":{"kind":"Pod","name":"p","uid":"u"},"reason":"Killing"%s}`
	text := `{"kind":"List","redacted":true,"window":{"from":"2026-11-21T07:00:00Z","until":"2026-11-21T08:00:00Z"},"items":[` +
		fmt.Sprintf(event, 1, "") + "," + fmt.Sprintf(event, 2, `,"x":tru`) + "," + fmt.Sprintf(event, 3, "") + "]}"
	p := Decode([]evidence.File{evidence.Bytes(eventsPath, []byte(text))}, Hasher{})
	if len(p.Events) != 1 || p.Window != nil || len(p.gaps) != 1 ||
		!strings.Contains(p.gaps[0].Why, "item 1: invalid character") {
		t.Errorf("%d events, window %v, gaps %v", len(p.Events), p.Window, p.gaps)
	}
}

// Items are taken up in their order, whoever decodes them, and each as what it says it is.
func TestItemsOfOneListMayDiffer(t *testing.T) {
	var items []string
	for i := range 3000 {
		switch i % 7 {
		case 0:
			items = append(items, fmt.Sprintf(`{"kind":"Node","metadata":{"name":"n%04d"}}`, i))
		case 3:
			items = append(items, `{"kind":"ConfigMap","spec":"no pod's"}`)
		default:
			items = append(items, fmt.Sprintf(`{"kind":"Pod","metadata":{"name":"p%04d","uid":"u%d"}}`, i, i))
		}
	}
	p := Decode([]evidence.File{evidence.Bytes("x.json",
		[]byte(`{"kind":"List","items":[`+strings.Join(items, ",\n")+`]}`))}, Hasher{})
	if len(p.gaps) > 0 || len(p.Nodes) != 429 || len(p.Pods) != 2142 || p.Nodes[428].Name != "n2996" {
		t.Errorf("%d nodes, %d pods, gaps %v", len(p.Nodes), len(p.Pods), p.gaps)
	}
}

// What the API server answers where there is nothing has no items at all.
func TestAListWithoutItemsIsNoObject(t *testing.T) {
	for _, items := range []string{`,"items":null`, `,"items":[]`, ""} {
		text := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"}` + items + `}`
		p := Decode([]evidence.File{evidence.Bytes("x.json", []byte(text))}, Hasher{})
		if len(p.Pods)+len(p.gaps) > 0 {
			t.Errorf("%s: %d pods, gaps %v", text, len(p.Pods), p.gaps)
		}
	}
}

package pagecheck

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// attacks are inserted wherever a report has text: they try to break out of a text, an attribute, the style sheet or
// the title, or just to break the layout. `owned` in the browser's messages means that one of them ran.
var attacks = []string{
	`<script>console.error("owned")</script><img src="https://owned.invalid/x" onerror='console.error("owned")'>`,
	`" autofocus onfocus="console.error('owned')" x="' onmouseover='console.error(1)`,
	`</title></style></details></samp></svg><iframe src="javascript:console.error('owned')"></iframe><style>@import "https://owned.invalid/";</style>`,
	`javascript:console.error("owned")//--></script><svg onload=console.error("owned")>&lt;script&gt;`,
	strings.Repeat("W", 300),
	strings.Repeat("many words ", 60),
}

// kept are the fields whose values the program itself chooses, and which link one part of a report to another.
var kept = []string{"id", "items", "incident", "evidence", "kind", "confidence",
	"role", "prediction", "containerKind", "item"}

// spoiled returns a copy of a report, or of a part of one, in which every text is the given one: only times and the
// fields that hold a page together are kept.
func spoiled[T any](r *T, text string) (*T, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	if data, err = json.Marshal(spoil(tree, text, 0)); err != nil {
		return nil, err
	}
	out := new(T)
	return out, json.Unmarshal(data, out)
}

func spoil(v any, text string, depth int) any {
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339Nano, v); err == nil || v == "" {
			return v
		}
		return text
	case []any:
		for i := range v {
			v[i] = spoil(v[i], text, depth+1)
		}
	case map[string]any:
		for name, x := range v {
			if _, list := x.([]any); !slices.Contains(kept, name) || list && depth == 0 {
				v[name] = spoil(x, text, depth+1) // at the top level, items and evidence are the objects themselves
			}
		}
	}
	return v
}

// teller spoils the stories of another.
type teller struct {
	report.DetailProvider
	text string
}

func (t teller) ItemDetail(id string) (*report.ItemDetail, error) {
	s, err := t.DetailProvider.ItemDetail(id)
	if err != nil {
		return nil, err
	}
	return spoiled(s, t.text)
}

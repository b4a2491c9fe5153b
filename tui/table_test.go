package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestKeysMoveTheCursor(t *testing.T) {
	const first, last = "◐ likely hash-kubelet-upgrade ▸ 4 restarts on n3", "● proven node-reboot node-agent-…/agent"
	const second = "? unknown unknown worker-7c5…/worker"
	for script, want := range map[string]string{
		"": first, "k": first, "up up": first, "G": last, "end": last, "G j down": last, "G g": first, "end home": first, "j": second, "down j k": second,
		"pgdown": last, "space": last, "ctrl+f": last, "pgdown pgup": first, "l h": first, "right left": first, "enter esc": first, "esc esc esc": first,
		"j enter esc": second, "? ? j": second, "? esc j": second, "? m m ? j": second,
		"/ text:oom enter": "● proven oom-container-limit shop/cache-0/redis",
		// Dropping the filter leaves the cursor on what was found.
		"/ text:oom enter esc": "● proven oom-container-limit shop/cache-0/redis",
		"/ text:oom esc":       "● proven oom-container-limit shop/cache-0/redis",
	} {
		if got := drive(t, fixture(t), "80x24").play(script).underCursor(); !strings.HasPrefix(got, want) {
			t.Errorf("%q\n got %s\nwant %s", script, got, want)
		}
	}
}

// repeated is a report of a container that keeps failing, one that failed once, and
// an incident.
func repeated() *report.Report {
	r := &report.Report{Incidents: []report.Incident{{ID: "small", Cause: "node-reboot", Items: []string{"a", "b"}}, {ID: "big", Cause: "hash-kubelet-upgrade", Items: []string{"c", "d", "e"}}, {ID: "alone", Items: []string{"f"}}}}
	add := func(id, pod, cause, incident string, c report.Confidence) {
		r.Items = append(r.Items, report.Item{ID: id, Namespace: "shop", Pod: pod, Container: "app", Node: "n1", Incident: incident, Verdict: report.Verdict{Cause: cause, Confidence: c}})
	}
	add("x1", "crash", "app-exit-error", "", report.Proven)
	add("a", "web", "node-reboot", "small", report.Proven)
	add("x2", "crash", "app-exit-error", "", report.Likely)
	add("b", "db", "node-reboot", "small", report.Proven)
	add("c", "w1", "hash-kubelet-upgrade", "big", report.Proven)
	add("d", "w2", "hash-kubelet-upgrade", "big", report.Unknown)
	add("e", "w3", "hash-kubelet-upgrade", "big", report.Proven)
	add("x3", "crash", "oom-container-limit", "", report.Proven)
	add("f", "single", "app-exit-zero", "alone", report.Proven)
	r.Normalise()
	return r
}

// lines names the rows of a table: a group by its items.
func lines(t *table) (out []string) {
	for _, r := range t.rows {
		var ids []string
		for _, i := range t.items(r) {
			ids = append(ids, t.ds.report.Items[i].ID)
		}
		name := strings.Join(ids, "+")
		if r.group != none {
			name = "[" + name + "]"
		}
		out = append(out, name)
	}
	return out
}

func dataOf(r *report.Report) *dataset {
	ds := newDataset(r, nil)
	ds.index = newIndex(r)
	return ds
}

func TestTheOverviewPutsTogetherWhatHasOneRoot(t *testing.T) {
	tb := newTable(newDataset(repeated(), nil), byRoot, nil)
	if d := cmp.Diff([]string{"[c+d+e]", "[a+b]", "[x1+x2]", "x3", "f"}, lines(tb)); d != "" {
		t.Error(d)
	}
	if n := tb.incidents(); n != 2 {
		t.Errorf("%d incidents, want 2: one of one item is none", n)
	}
}

func TestGroupsAndOrders(t *testing.T) {
	ds := dataOf(repeated())
	for name, tt := range map[string]struct {
		by    grouping
		order order
		want  []string
	}{
		"every restart":            {byItem, byTime, []string{"x1", "a", "x2", "b", "c", "d", "e", "x3", "f"}},
		"by cause":                 {byCause, byTime, []string{"[x1+x2]", "[a+b]", "[c+d+e]", "[x3]", "[f]"}},
		"by node":                  {byNode, byTime, []string{"[x1+a+x2+b+c+d+e+x3+f]"}},
		"by image, where none is":  {byImage, byTime, []string{"[x1+a+x2+b+c+d+e+x3+f]"}},
		"surest first":             {byItem, bySurety, []string{"x1", "a", "b", "c", "e", "x3", "f", "x2", "d"}},
		"by name":                  {byItem, byName, []string{"x1", "x2", "x3", "b", "f", "c", "d", "e", "a"}},
		"the order of causes":      {byItem, byVerdict, []string{"x1", "x2", "f", "c", "d", "e", "a", "b", "x3"}},
		"a group follows its best": {byCause, byName, []string{"[x1+x2]", "[x3]", "[b+a]", "[f]", "[c+d+e]"}},
	} {
		tb := newTable(ds, tt.by, nil)
		tb.ask(tt.by, tt.order)
		if d := cmp.Diff(tt.want, lines(tb)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

func TestAFilterKeepsWhatMatches(t *testing.T) {
	ds := dataOf(repeated())
	for text, want := range map[string][]string{
		"oom":                   {"x3"},
		"crash !oom":            {"[x1+x2]"},
		"crash likely":          {"x2"},
		"HASH":                  {"[c+d+e]"},
		"hash !unknown":         {"[c+e]"},
		"!hash !reboot !crash":  {"f"},
		"!":                     {"[c+d+e]", "[a+b]", "[x1+x2]", "x3", "f"},
		"w2":                    {"d"},
		"zzz":                   nil,
		"shp/crsh":              {"[x1+x2]", "x3"}, // letters in order, since the word is nowhere
		"reboot web":            {"a"},
		"kblt-upgrd !w1":        {"[d+e]"},
		"app-exit-zero shop/si": {"f"},
	} {
		tb := newTable(ds, byRoot, nil)
		tb.prompt.text = text
		tb.arrange()
		if d := cmp.Diff(want, lines(tb)); d != "" {
			t.Errorf("%q:\n%s", text, d)
		}
	}
}

// search is checked against the plain way: each word in each line.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"", "oom", "a", "shop/web", "!oom", "crash likely", "! !", "é", "hash w1", "proven !reboot", "n1\x00", "zz qq"} {
		f.Add(s)
	}
	r := repeated()
	r.Incidents[0].Summary = "the node was rebooted"
	ix := newIndex(r)
	f.Fuzz(func(t *testing.T, text string) {
		var p prompt
		p.insert(text)
		fl := parseFilter(p.text)
		keep, fuzzy := ix.search(r, fl)
		from := int32(0)
		for i := range r.Items {
			line := ix.text[from:ix.ends[i]]
			from = ix.ends[i]
			for _, in := range r.Incidents {
				if in.ID == r.Items[i].Incident {
					line += "\n" + strings.ToLower(in.ID+"\n"+in.Cause+"\n"+in.Node+"\n"+in.Summary)
				}
			}
			has := func(w string) bool { return strings.Contains(line, w) }
			want := !slices.ContainsFunc(fl.without, has)
			for _, w := range fl.with {
				want = want && has(w)
			}
			if !fuzzy && keep[i] != want || fuzzy && want {
				t.Fatalf("%q: item %s: %v, want %v (fuzzy %v)", text, r.Items[i].ID, keep[i], want, fuzzy)
			}
		}
	})
}

func FuzzPrompt(f *testing.F) {
	for _, s := range []string{"", "oom !liveness", "!", "! !", "\x1b[31m", "é ÀÉ", "a\x00b", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var p prompt
		p.insert(s)
		if len(p.text) > maxFilter || strings.ContainsAny(p.text, "\x1b\n\r\x00\u202e\u200b") {
			t.Fatalf("the prompt took %q", p.text)
		}
		for _, w := range append(parseFilter(s).with, parseFilter(s).without...) {
			if w == "" {
				t.Fatalf("%q holds an empty word, which matches all", s)
			}
		}
	})
}

func TestPromptEdits(t *testing.T) {
	for name, tt := range map[string]struct{ from, key, want string }{
		"backspace drops a rune":            {"oomé", "backspace", "oom"},
		"backspace on nothing does nothing": {"", "backspace", ""},
		"ctrl+w drops a word":               {"oom redis", "ctrl+w", "oom "},
		"ctrl+w drops the only word":        {"oom", "ctrl+w", ""},
		"ctrl+w sees past spaces":           {"oom redis  ", "ctrl+w", "oom "},
		"ctrl+u drops all":                  {"oom redis", "ctrl+u", ""},
		"a letter is appended":              {"oo", "m", "oom"},
		"a space is a character":            {"oom", "space", "oom "},
		"a full prompt takes no more":       {strings.Repeat("x", maxFilter), "y", strings.Repeat("x", maxFilter)},
	} {
		p := prompt{text: tt.from}
		if !p.edit(press(t, tt.key)) {
			t.Errorf("%s: the key was not taken", name)
		}
		if p.text != tt.want {
			t.Errorf("%s: %q, want %q", name, p.text, tt.want)
		}
	}
	p := prompt{text: "x"}
	if p.edit(press(t, "pgup")) || p.text != "x" {
		t.Error("pgup edited the prompt")
	}
}

// What is pasted comes from anywhere. It is shown in the prompt, so nothing in it
// may steer the terminal.
func TestWhatIsPastedCannotSteerTheTerminal(t *testing.T) {
	var p prompt
	p.insert("a\x1b[31mb\u009b31mc\u202ed\u200be\x7f\x00\ufefff\u2028\xffg界")
	if p.text != "a[31mb31mcdefg界" {
		t.Errorf("the prompt holds %q", p.text)
	}
	d := drive(t, fixture(t), "80x24")
	d.send(tea.PasteMsg{Content: "oom"})
	if d.table().n != 11 {
		t.Error("a paste into the list filtered it")
	}
	d.play("/")
	d.send(tea.PasteMsg{Content: "oo\x1b[31mm\n"})
	if d.table().prompt.text != "oo[31mm" {
		t.Errorf("the prompt holds %q", d.table().prompt.text)
	}
}

func TestAFilterTypedBeforeTheIndexIsThereWaitsForIt(t *testing.T) {
	d := &driver{t: t, m: newModel(t.Context(), options(fixture(t)), settings{})}
	d.play("80x24 / text:oom")
	if n := d.table().n; n != 11 {
		t.Errorf("without an index %d rows are shown, want all 11", n)
	}
	d.run(d.m.Init())
	if n := d.table().n; n != 1 {
		t.Errorf("with the index %d rows are shown, want 1", n)
	}
}

func TestAFilterGivesEverythingBack(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	all := d.screen()
	d.play("/ text:redis enter").sees("1 of 14")
	d.play("/ text:zzzz").sees("no restart matches the filter")
	d.play("enter enter ] j G esc esc esc g")
	if got := d.screen(); got != all {
		t.Errorf("after the filter:\n%s\nbefore:\n%s", got, all)
	}
}

func TestAGroupClaimsNoMoreThanItsWeakestMember(t *testing.T) {
	for name, tt := range map[string]struct {
		members []report.Confidence
		want    report.Confidence
		text    string
	}{
		"all proven":      {[]report.Confidence{report.Proven, report.Proven}, report.Proven, "proven"},
		"one likely":      {[]report.Confidence{report.Proven, report.Likely}, report.Likely, "1 proven, 1 likely"},
		"one unknown":     {[]report.Confidence{report.Possible, report.Unknown, report.Proven}, report.Unknown, "1 proven, 1 possible, 1 unknown"},
		"an unknown word": {[]report.Confidence{"certain"}, report.Unknown, "unknown"},
	} {
		r := &report.Report{}
		var items []int32
		for i, c := range tt.members {
			r.Items = append(r.Items, report.Item{Verdict: report.Verdict{Confidence: c}})
			items = append(items, int32(i))
		}
		if text, got := newDataset(r, nil).tally(items); got != tt.want || text != tt.text {
			t.Errorf("%s: %s (%s), want %s (%s)", name, got, text, tt.want, tt.text)
		}
	}
}

func TestAnIncidentThatTheReportDoesNotHoldDoesNotHideItsItems(t *testing.T) {
	r := &report.Report{Items: []report.Item{{Pod: "a", Incident: "gone"}, {Pod: "b", Incident: "gone"}}}
	r.Normalise()
	if n := drive(t, r, "80x24").table().n; n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

func TestAGroupOfAWorkloadSaysWhenItIsAGuess(t *testing.T) {
	for want, it := range map[string]report.Item{
		"shop/web (deploy)":      {Namespace: "shop", Pod: "web-1", Workload: "deployment/web", WorkloadFrom: report.FromOwners},
		"shop/db (sts)":          {Namespace: "shop", Pod: "db-0", Workload: "statefulset/db", WorkloadFrom: report.FromName},
		"shop/cache (by name)":   {Namespace: "shop", Pod: "cache-b7x2k", Workload: "cache", WorkloadFrom: report.FromName},
		"shop/web-old (by name)": {Namespace: "shop", Pod: "web-old"}, // a report of an earlier version
		"shop/ (by name)":        {Namespace: "shop"},
		"shop/go (rollout)":      {Namespace: "shop", Workload: "rollout/go", WorkloadFrom: report.FromOwners},
	} {
		if got := workloadName(&it); got != want {
			t.Errorf("%+v: %q, want %q", it, got, want)
		}
	}
}

func TestListShowsTheCursorWhereverItGoes(t *testing.T) {
	for name, tt := range map[string]struct {
		rows, height int
		moves        []int
		cursor, top  int
	}{
		"the top stays until the cursor leaves":   {100, 10, []int{9}, 9, 0},
		"one below the window scrolls one":        {100, 10, []int{10}, 10, 1},
		"back up scrolls back":                    {100, 10, []int{50, 20}, 20, 20},
		"past the end is the end":                 {100, 10, []int{1000}, 99, 90},
		"before the start is the start":           {100, 10, []int{50, -7}, 0, 0},
		"a list shorter than its window stays":    {3, 10, []int{2}, 2, 0},
		"an empty list has its cursor at 0":       {0, 10, []int{5}, 0, 0},
		"a window of one line follows exactly":    {5, 1, []int{3}, 3, 3},
		"up inside the window does not scroll it": {100, 10, []int{50, 45}, 45, 41},
	} {
		l := list{}
		l.set(tt.rows, tt.height)
		for _, m := range tt.moves {
			l.to(m)
		}
		if l.cursor != tt.cursor || l.top != tt.top {
			t.Errorf("%s: cursor %d top %d, want %d and %d", name, l.cursor, l.top, tt.cursor, tt.top)
		}
	}
}

func TestTheKeyOfAGroupNamesItInAnotherReport(t *testing.T) {
	a, b := newTable(dataOf(repeated()), byRoot, nil), newTable(dataOf(repeated()), byRoot, nil)
	for i := range a.rows {
		if x, y := a.anchor(a.rows[i]), b.anchor(b.rows[i]); x != y || x == "" {
			t.Errorf("row %d: %q and %q", i, x, y)
		}
	}
	seen := map[string]bool{}
	for _, r := range a.rows {
		if k := a.anchor(r); seen[k] {
			t.Errorf("%q names two rows", k)
		} else {
			seen[k] = true
		}
	}
}

func ExampleKeysMarkdown() {
	text, _, _ := strings.Cut(KeysMarkdown(), "\n")
	fmt.Println(text)
	// Output: # Keys of the viewer
}

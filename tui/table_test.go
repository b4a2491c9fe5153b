package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

func TestKeysMoveTheCursor(t *testing.T) {
	const first, last = "◐ hash-kubelet-upgrade ▸ 4 restarts on n3", "● node-reboot node-agent-…/agent"
	const second = "? unknown worker-7c5…/worker"
	for script, want := range map[string]string{
		"": first, "k": first, "up up": first, "G": last, "end": last, "G j down": last,
		"G g": first, "end home": first, "j": second, "down j k": second,
		"pgdown": last, "space": last, "ctrl+f": last, "pgdown pgup": first,
		"l h": first, "right left": first, "enter esc": first, "esc esc esc": first,
		"j enter esc": second, "? ? j": second, "? esc j": second, "? m m ? j": second,
		"/ text:oom enter": "● oom-container-limit shop/cache-0/redis",
		// Dropping the filter leaves the cursor on what was found.
		"/ text:oom enter esc": "● oom-container-limit shop/cache-0/redis",
		"/ text:oom esc":       "● oom-container-limit shop/cache-0/redis",
	} {
		if got := drive(t, fixture(t), "80x24").play(script).underCursor(); !strings.HasPrefix(got, want) {
			t.Errorf("%q\n got %s\nwant %s", script, got, want)
		}
	}
}

// repeated is a report of a container that keeps failing, one that failed once, and
// an incident.
func repeated() *report.Report {
	r := &report.Report{Incidents: []report.Incident{{ID: "small", Cause: "node-reboot", Items: []string{"a", "b"}},
		{ID: "big", Cause: "hash-kubelet-upgrade", Items: []string{"c", "d", "e"}}, {ID: "alone", Items: []string{"f"}}}}
	add := func(id, pod, cause, incident string, c report.Confidence) {
		r.Items = append(r.Items, report.Item{ID: id, Namespace: "shop", Pod: pod,
			Container: "app", Node: "n1", Incident: incident, Verdict: report.Verdict{Cause: cause, Confidence: c}})
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
		"most certain first":       {byItem, bySurety, []string{"x1", "a", "b", "c", "e", "x3", "f", "x2", "d"}},
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
		tb.typed.Set(text)
		tb.arrange()
		if d := cmp.Diff(want, lines(tb)); d != "" {
			t.Errorf("%q:\n%s", text, d)
		}
	}
}

// search is checked against the plain way: each word in each line.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"", "oom", "a", "shop/web", "!oom", "crash likely",
		"! !", "é", "hash w1", "proven !reboot", "n1\x00", "zz qq"} {
		f.Add(s)
	}
	r := repeated()
	r.Incidents[0].Summary = "the node was rebooted"
	ix := newIndex(r)
	f.Fuzz(func(t *testing.T, text string) {
		var p prompt.Input
		p.Begin()
		p.Paste(text)
		fl := parseFilter(p.Text())
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

func TestAPasteGoesIntoThePrompt(t *testing.T) {
	d := drive(t, fixture(t), "80x24")
	d.send(tea.PasteMsg{Content: "oom"})
	if d.table().N != 11 {
		t.Error("a paste into the list filtered it")
	}
	d.play("/")
	d.send(tea.PasteMsg{Content: "oo\x1b[31mm\n"})
	if d.table().typed.Text() != "oo[31mm" {
		t.Errorf("the prompt holds %q", d.table().typed.Text())
	}
}

// The line of every filter and search is edited in place; up and down move the list
// meanwhile.
func TestALineIsEditedWhereItsCursorIs(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("/ text:edis home text:r").sees("/redis", "1 of 14  enter keeps")
	d.play("end text:x left left backspace").sees("/redsx").play("right backspace text:i left right end backspace")
	if got := d.table().typed.Text(); got != "redi" {
		t.Errorf("the filter is %q", got)
	}
	d.play("ctrl+u text:shop home down down")
	if d.table().Cursor != 2 || d.m.prompting() == nil {
		t.Errorf("the cursor is at %d", d.table().Cursor)
	}
	drive(t, fixture(t), "80x24").play("enter enter / text:tored home text:s enter").sees("/stored").misses("not found")
	foresee(t, foretold(), settings{}, "80x24").play("/ text:art home text:c").sees("/cart",
		"1 of 4").play("enter enter / left text:x").sees("/carxt", "nothing matches")
}

func TestAFilterTypedBeforeTheIndexIsThereWaitsForIt(t *testing.T) {
	d := &driver{t: t, m: newModel(t.Context(), options(fixture(t)), settings{})}
	d.play("80x24 / text:oom")
	if n := d.table().N; n != 11 {
		t.Errorf("without an index %d rows are shown, want all 11", n)
	}
	d.run(d.m.Init())
	if n := d.table().N; n != 1 {
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
		"all proven": {[]report.Confidence{report.Proven, report.Proven}, report.Proven, "proven"},
		"one likely": {[]report.Confidence{report.Proven, report.Likely}, report.Likely, "1 proven, 1 likely"},
		"one unknown": {[]report.Confidence{report.Possible, report.Unknown, report.Proven},
			report.Unknown, "1 proven, 1 possible, 1 unknown"},
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
	if n := drive(t, r, "80x24").table().N; n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

func TestAGroupOfAWorkloadSaysWhenItIsAGuess(t *testing.T) {
	for want, it := range map[string]report.Item{
		"shop/web (deploy)": {Namespace: "shop", Pod: "web-1", Workload: "deployment/web",
			WorkloadFrom: report.FromOwners},
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

// Whoever asks about one pod that keeps failing reads the answer below the list, before any key.
func TestARepeatedContainerIsAnsweredBelowTheList(t *testing.T) {
	r := repeated()
	r.Incidents = nil
	for i := range r.Items {
		r.Items[i].Incident = ""
	}
	r.Items[0].Verdict.Actions = []string{"read its last log"}
	drive(t, r, "120x40").sees("app-exit-error (proven)", "What to do", "Read its last log",
		"the newest of 2 (1 proven, 1 likely); enter lists them")
}

package subject

import (
	"slices"
	"testing"
	"time"
)

// Several pods have a name one after the other; a line with only the name belongs to the one that had it then, and to
// none close to a change.
func TestWhoBoreTheName(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	two := []UIDClaim{{UID: "old", Born: at(0), sure: true}, {UID: "new", Born: at(300), sure: true}}
	seen := []UIDClaim{{UID: "old", Born: at(0), sure: true}, {UID: "new", Born: at(300), sure: false}}
	for name, c := range map[string]struct {
		list []UIDClaim
		at   time.Time
		want string
		side side
	}{
		"a single bearer, whenever":           {two[:1], at(-500), "old", either},
		"a single bearer, no time":            {two[:1], time.Time{}, "old", either},
		"in the time of the first":            {two, at(100), "old", either},
		"in the time of the second":           {two, at(310), "new", either},
		"no time":                             {two, time.Time{}, "", either},
		"before both":                         {two, at(-1), "", either},
		"just at the first one's birth":       {two, at(1), "", either},
		"just before the second's birth":      {two, at(299.5), "", either},
		"well before the second's birth":      {two, at(298), "old", either},
		"just after the second's birth":       {two, at(301), "", either},
		"the second is known from lines only": {seen, at(296), "", either},
		"long before the second's first line": {seen, at(290), "old", either},
		"when one of them came is not known": {[]UIDClaim{{UID: "x"}, {UID: "old", Born: at(0), sure: true}},
			at(100), "", either},
		"three bearers, in the time of the 2nd": {append(two[:2:2], UIDClaim{UID: "third", Born: at(600), sure: true}),
			at(400), "new", either},
		"what leaves just before the change":  {two, at(299.5), "old", leaving},
		"what leaves just after it":           {two, at(301), "old", leaving},
		"what comes just before the change":   {two, at(299.5), "new", coming},
		"what comes in the time of the first": {two, at(100), "old", coming},
	} {
		if got := bearerAt(c.list, c.at, c.side); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A kubelet logs about its own pods: a line about a name that moved to another node means the old pod, however late the
// line is.
func TestAKubeletSpeaksOfItsOwnPods(t *testing.T) {
	here, there, anywhere := UIDClaim{UID: "here", node: "n1"}, UIDClaim{UID: "there", node: "n2"}, UIDClaim{UID: "logged"}
	for name, c := range map[string]struct {
		list []UIDClaim
		want []string
	}{
		"the only one is on another node": {[]UIDClaim{there}, nil},
		"the only one is on this node":    {[]UIDClaim{here}, []string{"here"}},
		"one on each":                     {[]UIDClaim{here, there}, []string{"here"}},
		"one whose node is not known":     {[]UIDClaim{anywhere, there}, []string{"logged"}},
		"nobody is anywhere else":         {[]UIDClaim{anywhere, here}, []string{"logged", "here"}},
	} {
		var got []string
		for _, b := range on(c.list, "n1") {
			got = append(got, b.UID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := bearerAt(nil, time.Time{}, either); got != "" {
		t.Errorf("nobody bears the name, and yet %q", got)
	}
}

// A kubelet logs by name what it removed from its files and what it added.
func TestWhichUIDAChangeOfTheFilesIsAbout(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	was, is := UIDClaim{UID: "was", Born: at(11)}, UIDClaim{UID: "is", Born: at(101)}
	late, ending := UIDClaim{UID: "is", Born: at(240)}, UIDClaim{UID: "was", Born: at(100), dying: true}
	start, drop, take := fileLine{at(10), true}, fileLine{at(100), false}, fileLine{at(100), true}
	dropSoon := fileLine{at(60), false}
	again := fileLine{at(3600), true}
	for name, c := range map[string]struct {
		list  []UIDClaim
		lines []fileLine
		now   fileLine
		want  string
	}{
		"what is removed ran then":                  {[]UIDClaim{was, is}, []fileLine{start, drop, take}, drop, "was"},
		"what is added runs from then on":           {[]UIDClaim{was, is}, []fileLine{start, drop, take}, take, "is"},
		"the first one":                             {[]UIDClaim{was, is}, []fileLine{start, drop, take}, start, "was"},
		"the old one took long to stop":             {[]UIDClaim{was, late}, []fileLine{start, drop, take}, take, "is"},
		"the log begins with the change":            {[]UIDClaim{ending, is}, []fileLine{drop, take}, drop, "was"},
		"and what is told of first is the old one":  {[]UIDClaim{ending, is}, []fileLine{drop, take}, take, "is"},
		"a kubelet that starts adds what runs":      {[]UIDClaim{was, is}, []fileLine{drop, take, again}, again, "is"},
		"what it adds ran under another UID before": {[]UIDClaim{was, is}, []fileLine{start, take}, take, "is"},
		"what came later is not what it added":      {[]UIDClaim{was, late}, []fileLine{start, take}, take, "was"},
		"it was gone before the next one came":      {[]UIDClaim{is, late}, []fileLine{start, dropSoon, take}, start, ""},
		"it is not known when one of them came":     {[]UIDClaim{{UID: "x"}, was}, []fileLine{start}, start, ""},
		"nothing came in the place of what it lost": {[]UIDClaim{was, ending}, []fileLine{start, drop, take}, take, ""},
	} {
		if got := fileBearer(c.list, c.lines, c.now); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

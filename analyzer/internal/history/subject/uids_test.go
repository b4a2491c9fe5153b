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
	two := []UIDClaim{{"old", at(0), true, ""}, {"new", at(300), true, ""}}
	seen := []UIDClaim{{"old", at(0), true, ""}, {"new", at(300), false, ""}}
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
		"when one of them came is not known": {[]UIDClaim{{"x", time.Time{}, false, ""}, {"old", at(0), true, ""}},
			at(100), "", either},
		"three bearers, in the time of the 2nd": {append(two[:2:2], UIDClaim{"third", at(600), true, ""}),
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

package mention

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// The limits of a text: pasted text is short, and a log line may be anything.
const (
	// MaxText is how much of a text is read, MaxFile the maximum size of the file that it begins.
	MaxText  = 256 << 10
	MaxFile  = 1 << 20
	maxLine  = 4 << 10
	mostEnds = 200
	// apart is how many lines may be between the statements about one end.
	apart = 6
)

// In reports whether a text has such statements, or asks, or is a program's output that ends in an error.
func (t *Text) In() bool {
	return len(t.ends) > 0 || len(t.resort(naming.Names{})) > 0 || len(t.general(naming.Names{})) > 0 ||
		t.previous(naming.Names{}) != nil || t.machine(true) != nil ||
		t.asked(naming.Names{}, true) != nil || t.printedEnd(naming.Names{}) != nil
}

// Read returns pods and events that the text describes, or a pod for which it only asks why. strange means that nothing
// else can be read of the text, so that any word of trouble counts as a question.
func (t *Text) Read(around naming.Names, strange bool) (objects []json.RawMessage) {
	type one struct {
		naming.Names
		other int
	}
	byPlace := map[one]*end{}
	var order []one
	daemons := false
	ends := t.resort(around)
	if len(ends) == 0 {
		ends = t.named(around)
	}
	if down := t.machine(len(ends) == 0); down != nil &&
		!slices.ContainsFunc(ends, func(e *end) bool { return !e.nobodys() }) {
		ends = []*end{down}
	}
	t.explain(ends)
	for _, e := range ends {
		if e.ended == "Error" && e.bare() && t.creating(e.Pod) { // what "fails to start" then means
			e.ended, e.waits = "", "ContainerCreating"
		}
		if t.tree && e.Pod == evidence.Unnamed && e.Container == evidence.Unnamed && textkind.Stamped(e.line) &&
			e.ended == "" && (e.code == nil || *e.code < 128) {
			daemons = true // a daemon's own line
			continue
		}
		place := one{e.Names, e.other}
		if before := byPlace[place]; before != nil {
			if e.code != nil && before.code != nil && *e.code != *before.code {
				before.ended = "" // another end: the reason of one with the code of the other would be true of neither
			}
			e.fill(before) // the last one counts
		} else {
			order = append(order, place)
		}
		byPlace[place] = e
	}
	told := make([]*end, len(order))
	for i, place := range order {
		told[i] = byPlace[place]
	}
	for _, e := range t.ofEach(withoutRepeats(told)) {
		objects = append(objects, e.objects(t.printed)...)
	}
	if len(order) == 0 && !daemons {
		for _, e := range t.general(around) {
			objects = append(objects, e.objects(t.printed)...)
		}
	}
	if len(objects) == 0 && !daemons {
		if e := t.previous(around); e != nil {
			return e.objects(t.printed)
		}
		if e := t.asked(around, strange); e != nil {
			return e.objects(t.printed)
		}
	}
	return objects
}

const aTime = `\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`

var (
	heading  = regexp.MustCompile(`^#{1,6} [A-Z]`)
	finished = regexp.MustCompile(`(?i)finished_?at["']?\s*[:=]\s*["']?(` + aTime + `)`)
	written  = regexp.MustCompile(`^\W{0,3}(` + aTime + `)`)
	klog     = regexp.MustCompile(`^(?:\S+ ){0,6}[IWEF](\d{4} \d\d:\d\d:\d\d)`)
)

// find goes through the lines.
func (t *Text) find() (ends []*end) {
	refused, spared := naming.Refused(t.all), noneToEvict.MatchString(t.all)
	listed := wasEnded.MatchString(t.all) // words may be of these
	var now, aside *end                   // the last end, and words that only count next to others
	var fatal *end                        // of these, a log message that ends its process
	var done []*end                       // of these, what Compose says of containers that finished
	var near nearest
	at, others := 0, 0
	for i := range t.lines {
		l := &t.lines[i]
		if at += 1 + l.blanks; len(ends) == mostEnds {
			break
		}
		if l.another {
			others++
		}
		near.line(l)
		if l.fence || l.outside || l.wished && !ofEvent.MatchString(l.text) || ofCrictl.MatchString(l.text) {
			continue
		}
		line, n := l.text, l.of()
		if n.Pod == "" && (len(t.called) > 1 || l.prose && !listed) {
			if name, _ := naming.Called(line); !strings.HasPrefix(t.only.Pod, name) || len(t.called) > 1 {
				n.Pod = name
			}
		}
		if l.row == nil {
			near.names(n, line)
		}
		if now != nil && at-now.at <= apart && now.finished.IsZero() {
			now.finished = timeIn(finished, line)
		}
		e := t.endIn(l)
		if e == nil && now != nil && at-now.at <= apart && n.Pod != "" && n.Pod != now.Pod &&
			sameAgain.MatchString(line) {
			other := *now
			other.Names, other.at = n.Beside(naming.Names{Namespace: now.Namespace}), at
			ends = append(ends, &other)
			continue
		}
		if e == nil || neverMade.MatchString(line) || e.deleted && t.shownBefore(i, n.Pod) ||
			ofDaemon.MatchString(line) && !(e.code != nil && strings.Contains(line, "container ")) ||
			spared && strings.Contains(line, "viction manager: ") ||
			slices.Contains(refused, n.Pod) && strings.Contains(line, "evicting pod") {
			continue
		}
		if n.Pod == "" && !e.ofNode {
			n = n.Beside(t.job(line))
		}
		e.Names, e.near, e.at, e.line, e.written, e.prose = n, near.now(line), at, line, t.writtenAt(line), l.prose || l.title
		if e.init = e.own != "" && near.init(); n.Pod == "" {
			e.other = others
		}
		if m := syslog.FindStringSubmatch(line); m != nil && e.ofNode {
			e.node, e.finished = m[2], klogline.Yearless(time.Stamp, m[1], t.printed, time.UTC)
		}
		if m := talos.FindStringSubmatch(line); m != nil && e.ofNode {
			e.node, e.finished = m[1], timeIn(talosAt, line)
		}
		switch {
		case now != nil && now.takes(e):
			continue
		case e.beside:
			if aside == nil || !aside.takes(e) {
				aside = e
			}
			if fatals.MatchString(line) {
				fatal = e
			}
			if e.Pod != "" && strings.Contains(line, e.Pod+" exited with code 0") {
				done = append(done, e)
			}
			continue
		case aside != nil && aside.takes(e):
			aside.beside, aside.line, e = false, e.line, aside
		}
		ends, now, aside = append(ends, e), e, nil
		if l.prose {
			for _, pod := range listedBehind(line, n.Pod) {
				other := *e
				other.Pod = pod
				ends = append(ends, &other)
			}
		}
	}
	ends = t.withoutLiving(ends)
	if fatal == nil && wasEnded.MatchString(t.all) {
		fatal = aside
	}
	if len(ends) == 0 && fatal != nil && (t.only.Pod != "" || fatal.near.Pod != "") { // it can only be that pod's
		ends = []*end{fatal}
	}
	if len(ends) == 0 && aside != nil && childKilled.MatchString(aside.line) {
		if t.killed = aside.line; t.about && len(t.lines) <= fewLines {
			ends = []*end{aside} // nobody else would have shown it
		}
	}
	if len(ends) == 0 && slices.ContainsFunc(t.lines, remarks) {
		ends = done // who says something to it did not expect it
	}
	return ends
}

// job returns the Job that a line is about, if no pod of it is named.
func (t *Text) job(about string) naming.Names {
	job := naming.Job(about)
	if slices.ContainsFunc(t.lines, func(l line) bool { return naming.DrawnOf(job.Pod, l.of().Pod) }) {
		return naming.Names{}
	}
	return job
}

// fewLines is what somebody cuts out of a log.
const fewLines = 40

// remarks reports whether a line is a person's who complains or asks, beside the output of Compose.
func remarks(l line) bool {
	return l.prose && !l.command && !l.remark && !strings.Contains(l.text, " | ") &&
		(slices.ContainsFunc(sentences(l.text), textkind.Asks) || happens(complains, l.text))
}

// shownBefore reports whether a row of a pod that is being deleted follows another row of it. What ended the pod
// then is up to the reader of tables, which knows a task that was done and cleaned up.
func (t *Text) shownBefore(at int, pod string) bool {
	return pod != "" && aPodsRow.MatchString(t.lines[at].text) && slices.ContainsFunc(t.lines[:at], func(l line) bool {
		return strings.Contains(l.text, pod) && aPodsRow.MatchString(l.text)
	})
}

// endIn returns what one line says about an end, nil for nothing.
func (t *Text) endIn(l *line) *end {
	if l.row != nil {
		return l.row.end()
	}
	names := l.names != nil && l.names.Pod != ""
	text := l.text
	if l.command {
		text = looked.ReplaceAllString(text, "")
	}
	e, plain := t.told(text, names), spaced(naming.Plain(text))
	if e == nil && plain != text {
		e = t.told(plain, names)
	}
	if t.about && (l.prose || l.title) && !l.wished {
		e = t.spokenOf(glossary.Replace(plain), e)
	}
	return e
}

// whole returns names with what a person calls the thing in the place of a missing pod, unless the end is a node's.
func (t *Text) whole(n naming.Names, ofNode bool) naming.Names {
	if n.Pod == "" && !ofNode && len(t.called) == 1 {
		n.Pod = t.called[0]
	}
	return n.Whole()
}

// named returns the ends with the names that the text has for them elsewhere.
func (t *Text) named(around naming.Names) []*end {
	rest := t.only.Beside(around)
	for _, e := range t.ends {
		if e.prose && naming.DrawnOf(e.Pod, rest.Pod) { // a sentence may call a pod by its controller's name
			e.Pod = rest.Pod
		}
		if rest.Pod == "" && e.near.Fits(e.Names) { // of several, the one that was named last
			e.Names = e.Names.Beside(e.near)
		}
		if e.other > 0 {
			rest.Pod = ""
		}
		n := rest
		if e.Pod != "" && rest.Pod != "" && !naming.Siblings(e.Pod, rest.Pod) {
			n.Container = "" // of that pod
		}
		e.Names = t.whole(e.Names.Beside(n), e.ofNode)
	}
	return t.ends
}

// timeIn returns the time that a form finds in a line, zero for none. A time without a zone counts as UTC.
func timeIn(form *regexp.Regexp, line string) time.Time {
	m := form.FindStringSubmatch(line)
	if m == nil {
		return time.Time{}
	}
	at, _ := field.Moment(strings.Replace(m[1], " ", "T", 1))
	return at
}

// syslog matches the header of a syslog line: its time and its host.
var syslog = regexp.MustCompile(`^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)(?:\.\d+)? ([a-z0-9][\w.-]*) `)

// talos matches the header of a line of talosctl dmesg: its machine and its time.
var (
	talos   = regexp.MustCompile(`^([\w.-]+): \w+: +\w+: \[\d{4}-`)
	talosAt = regexp.MustCompile(`: \[(` + aTime + `)\]: `)
)

// writtenAt returns when a line was written, from its own header.
func (t *Text) writtenAt(line string) time.Time {
	if m := klog.FindStringSubmatch(line); m != nil {
		return klogline.Yearless("0102 15:04:05", m[1], t.printed, time.UTC)
	}
	if m := syslog.FindStringSubmatch(line); m != nil {
		return klogline.Yearless(time.Stamp, m[1], t.printed, time.UTC)
	}
	return timeIn(written, line)
}

// told returns what one line says about an end, nil for nothing. names: the line names a pod.
func (t *Text) told(line string, names bool) *end {
	e, found := &end{beside: true, trace: true}, false
	for i := range words {
		w := &words[i]
		if w.row && !names || w.about && !t.about || !naming.AnyOf(line, w.any...) {
			continue
		}
		at := w.says.FindStringSubmatchIndex(line)
		if at == nil || w.refuses(line, at[1]) || w.ofProcess && ofUnit.MatchString(line) {
			continue
		}
		m := groups(line, at)
		if negated.MatchString(line[at[1]:]) || defined.MatchString(line) ||
			denies.MatchString(line[:at[0]]) || inGeneral.MatchString(sentence(line, at[0], at[1])) ||
			!(w.ofProcess && !naming.Prose(line)) && t.explains(line, at[0], at[1]) &&
				!reported.MatchString(line) {
			continue
		}
		if number, ok := strings.CutPrefix(w.ended, endsWith); ok {
			n, ok := exitcode.Parse(cmp.Or(append([]string{number}, m[1:]...)...))
			if !ok {
				continue
			}
			code := int64(n)
			e.fill(&end{code: &code})
			found, e.beside = true, e.beside && code == 0
			continue
		}
		e.fill(w.end(m[1], line))
		if w.ofProcess && (at[0] == 0 || !naming.Prose(line)) {
			e.own = line
		}
		e.ofNode = e.ofNode || w.ofNode
		found, e.beside = true, e.beside && w.beside
		if w.alone {
			break
		}
	}
	if !found {
		return nil
	}
	return e
}

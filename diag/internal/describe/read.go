package describe

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// Kind is the kind of a text.
type Kind string

// The kinds.
const (
	None   Kind = ""
	Pods   Kind = "kubectl describe pod"
	Nodes  Kind = "kubectl describe node"
	Events Kind = "kubectl get events"
	Table  Kind = "kubectl get pods"
)

var nameLine = regexp.MustCompile(`(?m)^Name:\s+[a-z0-9][a-z0-9.-]*\s*$`)

// Sniff determines the kind of a text from its beginning.
func Sniff(head []byte) Kind {
	text := string(head)
	if at := nameLine.FindStringIndex(text); at != nil && at[0] < maxNoise && isNode(text[at[0]:]) {
		return Nodes
	}
	if at := nameLine.FindStringIndex(text); at != nil && strings.Contains(text[at[0]:], "\nNamespace:") &&
		at[0] < maxNoise {
		rest := text[at[0]:]
		if m := statusOf.FindStringSubmatch(rest); m != nil && !phases[m[1]] || ofWorkflow.MatchString(rest) {
			return None // argo get and others print the same keys
		}
		if strings.Contains(rest, "\nContainers:") || strings.Contains(rest, "\nInit Containers:") ||
			strings.Contains(rest, "\nNode:") || cutShort.MatchString(rest) {
			return Pods
		}
	}
	for i, line := range strings.SplitN(text, "\n", 20) {
		if i == 19 {
			break
		}
		switch head := headOf(strings.TrimRight(line, "\r")); {
		case head.events():
			return Events
		case head.has("NAME", "READY", "STATUS", "RESTARTS", "AGE"):
			return Table
		}
	}
	return None
}

var statusOf = regexp.MustCompile(`(?m)^Status:[ \t]+(\S+)`)

// ofWorkflow matches keys of argo get that no description of a pod has.
var ofWorkflow = regexp.MustCompile(`(?m)^(?:ServiceAccount:|STEP +TEMPLATE )`)

// cutShort matches lines of a description whose middle was left out.
var cutShort = regexp.MustCompile(
	`(?m)^(?:\s+(?:Last (?:Termination )?State|State|Exit Code):\s+\S|(?:Status|Reason|Message):\s+\S|Events:)`)

const (
	maxNoise = 16 << 10
	maxText  = 64 << 20
	maxLines = 2_000_000
)

// Found is the result of reading a text.
type Found struct {
	Objects []json.RawMessage
	// Notes say what is unknown.
	Notes []string
}

// Read reads a text of a kind. name is its file's; printed is the latest time at which it can have been printed, the
// time of its file; lost are nodes that were not ready then (NotReady).
func Read(r io.Reader, kind Kind, name string, printed time.Time, lost []string) (Found, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return Found{}, err
	}
	if len(data) > maxText {
		return Found{}, fmt.Errorf("larger than %d MiB", maxText>>20)
	}
	var lines []string
	s := bufio.NewScanner(strings.NewReader(string(data)))
	s.Buffer(nil, 1<<20)
	for s.Scan() && len(lines) < maxLines {
		lines = append(lines, strings.TrimRight(s.Text(), "\r"))
	}
	if err := s.Err(); err != nil {
		return Found{}, err
	}
	var f Found
	switch kind {
	case Pods, Nodes:
		f.descriptions(lines, name, printed)
	case Events, Table: // people paste one below the other
		f.eventTable(lines, name, printed)
		f.podTable(lines, printed, lost)
	}
	return f, nil
}

func (f *Found) add(o object) { f.Objects = podrecord.Append(f.Objects, o) }

func (f *Found) descriptions(lines []string, name string, printed time.Time) {
	from, pods := -1, 0
	end := func(to int) {
		if from < 0 {
			return
		}
		if p, ok := readPod(lines[from:to]); ok {
			at := printed
			if told, ok := Clock(strings.Join(lines[from:to], "\n")); ok && told.Before(at) {
				at = told // the file is a copy
			}
			f.pod(p, Place{File: name, Printed: at})
			pods++
		} else if n, ok := readNode(lines[from:to]); ok {
			f.node(n, printed)
		} else {
			pods += f.rest(lines[from:to], Place{File: name, Printed: printed})
		}
	}
	for i, l := range lines {
		if strings.HasPrefix(l, "Name:") {
			end(i)
			from = i
		}
	}
	end(len(lines))
	if pods > 0 {
		f.Notes = append(f.Notes,
			"kubectl describe shows neither the pod's UID nor the fields that the kubelet hashes, and events only by their "+
				"age: kubectl get pods,events -o yaml has all of it")
	}
}

// pod adds a pod and its events.
func (f *Found) pod(p *pod, of Place) {
	uid := Place{Namespace: p.namespace, Pod: p.name}.UID()
	p.meta["uid"] = uid
	at, dated := p.printedAt(of.Printed)
	switch d, ok := age(p.leaving); {
	case ok && !at.IsZero():
		// The age is truncated: what ended within that was asked to, more likely than not.
		p.meta["deletionTimestamp"] = at.Add(time.Second - d - width(p.leaving)).UTC().Format(time.RFC3339)
	case p.leaving == inFuture:
		// Its grace is not over. Where all of its containers have ended, the last end was asked for, more likely than not.
		grace, _ := p.meta["deletionGracePeriodSeconds"].(int)
		if last := p.allEnded(); grace > 0 && !last.IsZero() {
			p.meta["deletionTimestamp"] = last.Add(evidence.Seconds(int64(grace))).UTC().Format(time.RFC3339)
		}
	}
	f.add(object{"kind": "Pod", "apiVersion": "v1", "metadata": p.meta, "spec": p.spec, "status": p.status})
	path := ""
	if c, ok := p.spec["containers"].([]object); ok && len(c) == 1 && p.spec["initContainers"] == nil {
		path = fmt.Sprintf("spec.containers{%s}", c[0]["name"])
	}
	for _, e := range p.events {
		f.noteCut(e)
		if e.host == "" && e.component == "kubelet" {
			e.host = p.node
		}
		e.table = of.File // what it says about its pod dates it
		if dated {
			e.table += "\n" + uid // its own clock is known; ages of minutes still have to fit its pod
		}
		own := path
		if !ofContainer[e.reason] {
			own = ""
		}
		f.add(e.json(p.namespace, p.name, uid, own, at))
	}
}

// printedAt returns when a description was printed: from a start with a time and an event about it with an age, or else
// the file's time, if that is plausible. dated is false if the file's time is long after everything in the text.
func (p *pod) printedAt(file time.Time) (at time.Time, dated bool) {
	best := time.Duration(-1)
	for _, e := range p.events {
		if e.reason == "Started" && e.seen.known && (best < 0 || e.seen.last < best) {
			best = e.seen.last
		}
	}
	if best >= 0 && !p.latest.IsZero() {
		return p.latest.Add(best), true
	}
	if file.Before(p.latest) {
		return time.Time{}, true
	}
	return file, file.Sub(p.latest) < 30*24*time.Hour
}

func (f *Found) eventTable(lines []string, name string, printed time.Time) {
	var rows []event
	other := 0
	for head, l := range below(lines, columns.events) {
		if e, ok := eventOf(head.row(l)); ok {
			rows = append(rows, e)
		} else {
			other++
		}
	}
	where := placesOf(rows)
	nameContainers(rows)
	for i := range rows {
		e := &rows[i]
		f.noteCut(*e)
		e.table = name
		kind, name, typed := strings.Cut(e.object, "/")
		if !typed {
			kind, name = "pod", kind // a column with only names
		}
		switch strings.ToLower(kind) {
		case "pod", "po":
			at := where.of(e.namespace, name)
			if e.host == "" && (e.component == "" || e.component == "kubelet") {
				e.host = at.node
			}
			f.add(e.json(at.namespace, name, "", e.container(), printed))
		case "node", "no":
			f.add(e.ofNode(name, printed))
		default:
			if e.reason == "DeadlineExceeded" && strings.EqualFold(kind, "job") {
				for _, pod := range podsOf(rows, name) {
					f.add(e.json(where.of(e.namespace, pod).namespace, pod, "", "", printed))
				}
			}
			if e.deletes() { // by the pod's controller, whose message names the pod
				f.add(e.about(object{"kind": kind, "namespace": where.of(e.namespace, "").namespace, "name": name},
					where.of(e.namespace, "").namespace, name, printed))
				continue
			}
			other++
		}
	}
	if slices.ContainsFunc(rows, func(e event) bool { return e.last.IsZero() }) {
		f.Notes = append(f.Notes, aged)
	}
	if other > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("lines skipped: %d; they are events of objects other than pods and nodes", other))
	}
}

// podsOf returns the pods of a Job that other rows of its table are about: its controller deletes them at the deadline.
func podsOf(rows []event, job string) (pods []string) {
	for i := range rows {
		kind, pod, _ := strings.Cut(rows[i].object, "/")
		rest, of := strings.CutPrefix(pod, job+"-")
		if of && strings.EqualFold(kind, "pod") && !strings.Contains(rest, "-") && !slices.Contains(pods, pod) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// noteCut notes that a message is shown with more than the text has.
func (f *Found) noteCut(e event) {
	if e.cut && !slices.Contains(f.Notes, cut) {
		f.Notes = append(f.Notes, cut)
	}
}

const cut = "messages of its events were cut off: they are shown with the ends that only they can have"

// aged says what is unknown in a table of events with ages.
const aged = "its events have no UIDs, and ages instead of times, which are counted back from the file's own time: " +
	"kubectl get events -o yaml has both"

// NotReady returns the nodes with that status in a table of nodes.
func NotReady(text string) (names []string) {
	for line := range strings.Lines(text) {
		if m := notReady.FindStringSubmatch(line); m != nil && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

var notReady = regexp.MustCompile(`^(` + aName + `)\s+NotReady(?:,\S+)?\s+\S+\s+` + anAge + `\s+v1\.\d+\.`)

// ofPod precedes a pod's name in a list of several kinds, in short form up to 1.9.
var ofPod = regexp.MustCompile(`^(?:pods?|po)/`)

// otherKind begins the row of an object that is no pod, beside which "get all" prints it: its own head was lost.
var otherKind = regexp.MustCompile(`^\s*(?:` + aName + `\s+)?(?:service|[a-z]+\.[a-z0-9.-]+)/[a-z0-9]`)

// podTable reads the table of pods, as far as it says anything: it names no container.
func (f *Found) podTable(lines []string, printed time.Time, lost []string) {
	restarts, pods := 0, 0
	ago := slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, " ago)") }) // kubectl 1.22 or newer
	// before is the last exit of each pod in the table: with -w a pod has several rows.
	before := map[string]object{}
	seen := newWatch()
	crowds := crowdsOf(lines)
	var last *columns
	for head, l := range below(lines, columns.pods) {
		if head != last {
			clear(seen.ages) // maybe of another cluster, or an earlier state pasted below a later one
		}
		if last = head; otherKind.MatchString(l) {
			continue
		}
		row := head.row(l)
		row["NAME"] = ofPod.ReplaceAllString(row["NAME"], "") // among other kinds, as in "get all"
		count, _, _ := strings.Cut(row["RESTARTS"], " ")
		if n, ok := number(count); ok && n > 0 {
			restarts, pods = restarts+n, pods+1
		}
		namespace := row["NAMESPACE"] // "" if the table is of one namespace, without naming it
		reason, phase := row["STATUS"], "Failed"
		if seen.deleted(namespace+"/"+row["NAME"], row) && !printed.IsZero() {
			f.add(deletedPod(row, namespace, printed))
			if reason == "Terminating" || row["EVENT"] == "DELETED" {
				continue
			}
		}
		switch {
		case reason == "Terminating" && slices.Contains(lost, row["NODE"]):
			reason, phase = evidence.NodeLost, "Running"
		case reason == "Unknown" && (row["IP"] == "<none>" || head.has("READINESS GATES") || ago ||
			strings.HasPrefix(row["READY"], "0/")):
			// since 1.13 a pod of a lost node is Terminating, and its containers stay ready: this is a container's exit
			row["STATUS"] = lostEnd
			f.restarted(row, namespace, printed, before, crowds)
			continue
		case reason == "Unknown": // the cause of the node's loss may have ended its containers first
			reason, phase = evidence.NodeLost, "Unknown"
		}
		if !failed(reason) {
			f.restarted(row, namespace, printed, before, crowds)
			continue
		}
		f.add(podrecord.Row(namespace, row["NAME"], row["NODE"], object{"phase": phase, "reason": reason}))
	}
	for _, row := range seen.unfinished() {
		if !printed.IsZero() && !slices.Contains(lost, row["NODE"]) {
			f.add(deletedPod(row, row["NAMESPACE"], printed))
		}
	}
	if pods == 0 {
		return
	}
	f.Notes = append(f.Notes,
		fmt.Sprintf("it counts restarts (%d in all) but shows neither which containers restarted nor how they ended: "+
			"kubectl get pods -o yaml does", restarts))
}

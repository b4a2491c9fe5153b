package mention

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file reads what people write in their own words.

// subject are words without which a text is not about containers.
var subject = regexp.MustCompile(`(?i)\b(?:pods?|containers?|kube\w*|coredns|k8s|openshift|deployments?|statefulsets?|daemonsets?|` +
	`crash ?loop\w*|container ?creating|oom ?killed|progress ?deadline\w*|MinimumReplicas\w*|ContainerStatusUnknown|` +
	`ready\s+status\s+restarts|name ?space|liveness\w*|startup[ -]?probes?|initialDelaySeconds|failureThreshold|` +
	`activeDeadlineSeconds|DeadlineExceeded|BackoffLimit\w*|oom[ -]?kill\w*|init[ -]?containers?|post-?start\w*|FailedPostStartHook|minikube|k3s|k3d|rke2|microk8s|talos|(?:disk|memory|PID) ?pressure|cron ?jobs?|memory limits?|limits?\.memory|[1-9]\d*[MG]i|VPA|[EA]KS|GKE|node pools?|pod_\w+|docker\w*|podman|cri-?o|containerd|compose|nomad|` +
	`fargate|ecs|helm|kured|descheduler|argo\w*|airflow|tekton|karpenter|nodeclaims?|sidecars?|celery|gunicorn|uwsgi|jupyter\w*|` +
	`WorkerLostError|heapster)\b|` +
	`容器|コンテナ|컨테이너|(?:^|\s)(?:под|контейнер)\p{L}{0,3}\s|contenedor|conteneur|(?i:kontene?r|konteyner|contêiner)`)

// turn matches the beginning of one person's part in a conversation: a time, or who asks and who answers, maybe after a
// name.
var turn = regexp.MustCompile(`^\W{0,3}(?:(?:\d\S{3,9},? )?\d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?\]? +<?[\w.@ -]{1,24}>?: |[QA]: |` +
	`[\w.@* -]{1,24}(?:  | (?:—|-) \w+ at )\d\d?:\d\d(?: ?[AP]M)?\s*$)`)

// conversation reports whether people talk with each other in a text: then "you" means one of them.
func conversation(text string) bool {
	turns := 0
	for line := range strings.Lines(text) {
		if turn.MatchString(line) {
			turns++
		}
	}
	return turns > 1
}

// explains reports whether the sentence around a place in a line explains: it is conditional, or the clause around that
// place has a teacher's words. To another person, "your pod" is that person's and "you" is no reader.
func (t *Text) explains(line string, from, to int) bool {
	begin, end := bounds(line, from, to)
	of := ofOwn.ReplaceAllString(line[begin:end], "")
	if t.talk {
		of = addressed.ReplaceAllString(of, "")
	} else if asking.MatchString(of) {
		of = sighted.ReplaceAllString(line[begin:to], "") + asking.ReplaceAllString(line[to:end], "")
	}
	first, last := clauseBounds(line[begin:end], from-begin, to-begin)
	own := ofOwn.ReplaceAllString(line[begin+first:begin+last], "")
	if t.talk {
		own = addressed.ReplaceAllString(own, "")
	}
	return conditional.MatchString(of) || textkind.Teaches(own)
}

// conditional matches what makes all of a sentence one about what may happen, or about what is meant to.
var conditional = regexp.MustCompile(`(?i)\b(?:if|whenever|in case|for example|e\.g\.|how to|what is|difference between|` +
	`(?:an?|any|every|each) (?:pod|container|process|node) (?:that|which|whose)|when (?:does|do|will)|(?:fires|triggers) (?:when|after)|troubleshoot\w*)\b|(?i:^\W*look for\b)`)

// asking matches words by which a person asks for help, or doubts, behind what happened; sighted those before it.
var (
	asking = regexp.MustCompile(`(?i)\b(?:(?:let (?:me|us) know|tell me|(?:not|un|n't) ?sure|unclear|no idea|` +
		`wonder(?:ing)?|(?:check|see|know|find out)(?:ing|ed)?) (?:if|whether|how|what)\b.*|` +
		`if (?:you|any(?:one|body)|some(?:one|body)) (?:need|want|like|know|prefer|ha(?:s|ve)|can|could)\b.*|` +
		`(?:if|as|when) (?:(?:it|that|this|more)(?: is|'s)? )?` +
		`(?:needed|necessary|required|possible|helpful|useful|wanted|relevant|helps)\b|` +
		`(?:any|with|for|appreciate) (?:of )?your (?:help|time|advice|input|support|ideas?|thoughts?)\b|` +
		`as you (?:can )?see\b|help you\b)`)
	// ofOwn is a condition of the writer's own, who tried it, or none; and what dockerd adds to an error.
	ofOwn = regexp.MustCompile(`(?i)\b(?:if (?:I|we|my|our)|whenever|(?:even|as|only) (?:if|though))\b|` +
		`\bYou have to remove (?:\(or rename\) )?that (?:sandbox|container)\b`)
	sighted = regexp.MustCompile(`(?i)\bas you (?:can )?see\b`)
)

var addressed = regexp.MustCompile(`\byou(?:r|'re)?\b`)

// stop is the end of a sentence.
var stop = regexp.MustCompile(`[.!?;][*_]{0,2}\s+`)

// sentence returns the sentence that contains a place in a line.
func sentence(line string, from, to int) string {
	begin, end := bounds(line, from, to)
	return line[begin:end]
}

// bounds returns where that sentence begins and ends.
func bounds(line string, from, to int) (begin, end int) {
	begin, end = 0, len(line)
	for _, m := range stop.FindAllStringIndex(line, -1) {
		if m[1] <= from {
			begin = m[1]
		} else if m[0] >= to {
			end = m[0] + 1
			break
		}
	}
	return begin, end
}

// withNext returns that sentence and the next two, and of what may be the reason of an eviction the one before it.
func (w *word) withNext(line string, from, to int) string {
	begin, _ := bounds(line, from, to)
	if begin > 0 && w.failed == "Evicted" {
		begin, _ = bounds(line, begin-1, begin-1)
	}
	for range 2 {
		if m := stop.FindStringIndex(line[to:]); m != nil {
			to += m[1]
		}
	}
	_, end := bounds(line, from, to)
	return line[begin:end]
}

// groups returns what an expression found.
func groups(line string, at []int) (found []string) {
	for i := 0; i+1 < len(at); i += 2 {
		if at[i] < 0 {
			found = append(found, "")
			continue
		}
		found = append(found, line[at[i]:at[i+1]])
	}
	return found
}

// stems are parts of words, of which each of the spoken forms has one.
var stems = []string{"probe", "liveness", "check", "log", "sandbox", "oom", "memory", "ram", "limit", "hook",
	"pressure", "disk", "storage", "deadline", "priorit", "pool", "replaced", "created", "rolled", " with ",
	"crash", "exit", "fail", "terminat", "ends ", "ended ", "ending ", "complete", "panic", "fault", "evict",
	"reboot", "restart", "kill", "dying", "preempt", "initialdelay", "drain", "in-place", "in place",
	"inplace", "reclaim", "interrupt", "error", "start", "gone", "vanish", "disappear", "delet", "lost", "emptydir",
	"inode", "fs", "process", "full", "kick"}

// spokenOf adds what a person says about an end in a line to that end, which may be nil.
func (t *Text) spokenOf(line string, e *end) *end {
	lower := strings.ToLower(line)
	if !naming.AnyOf(lower, stems...) {
		return e
	}
	for i := range spoken {
		w := &spoken[i]
		at := w.says.FindStringSubmatchIndex(line)
		if at == nil || w.but != nil && w.but.MatchString(line) || !t.actual(line, at[0], at[1]) ||
			w.place && where.MatchString(line[:at[0]]) {
			continue
		}
		if w.ended == endsBare && asMeant.MatchString(sentence(line, at[0], at[1])) ||
			w.with != nil && !happens(w.with, w.withNext(line, at[0], at[1])) {
			continue
		}
		if e != nil && slices.ContainsFunc(e.events, func(v event) bool { return v.reason == cmp.Or(w.event, w.failed) }) {
			continue // the program's own words
		}
		if e != nil && e.failed != "" && (w.failed != "" || w.ended == endsBare) && !e.vaguely() {
			continue // the surer words come first
		}
		said := w.end(groups(line, at)[1], line)
		if e == nil {
			e = &end{}
		} else if e.code != nil {
			said.code = nil
		}
		e.fill(said)
		e.beside = false
	}
	return e
}

package cri

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// This file reads the tables that crictl ps, crictl pods and docker ps print for people. They have short ids, and
// instead of times ages, truncated to their unit.

var (
	headOfDocker = regexp.MustCompile(`(?m)^CONTAINER ID\s.*\b(?:STATUS\b.*\bNAMES|NAMES\b.*\bSTATUS)\b`)
	// up to crictl 1.11 without the sandbox
	headOfContainers = regexp.MustCompile(`(?m)^CONTAINER(?: ID)?\s+IMAGE\s+CREATED\s+STATE\s+NAME\s+ATTEMPT(?:\s+POD ID|\s*$)`)
	headOfPods       = regexp.MustCompile(`(?m)^POD ID\s+CREATED\s+STATE\s+NAME\s+NAMESPACE\s+ATTEMPT`)
)

// age matches how Docker and crictl print a past time (docker/go-units HumanDuration).
const age = `((?:Less than a|About an?|\d+) (?:second|minute|hour|day|week|month|year)s? ago)`

var (
	rowOfDocker = regexp.MustCompile(`^([0-9a-f]{12,64})\s+(\S+)\s+.*\s` +
		age + `\s+(Up|Exited|Created|Dead|Restarting|Removal)\s*(.*?)\s(\S+)\s*$`)
	rowOfContainers = regexp.MustCompile(`^([0-9a-f]{12,64})\s+(\S+)\s+` +
		age + `\s+(Running|Exited|Created|Unknown)\s+(\S+)\s+(\d+)(?:\s+([0-9a-f]{12,64})(?:\s+(\S+))?(?:\s+(\S+))?)?\s*$`)
	rowOfPods = regexp.MustCompile(`^([0-9a-f]{12,64})\s+` + age +
		`\s+(Ready|NotReady)\s+(\S+)\s+(\S+)\s+(\d+)(?:\s+(\S+))?\s*$`)
	exited = regexp.MustCompile(`^\((-?\d{1,10})\) ` + age)
	up     = regexp.MustCompile(`^((?:Less than a|About an?|\d+) (?:second|minute|hour|day|week|month|year)s?)`)
)

// headWithin is how many bytes into a file the table's header may be, after someone's own words.
const headWithin = 16 << 10

// IsTable reports whether a file begins with a table of containers or sandboxes.
func IsTable(head []byte) bool {
	head = head[:min(len(head), headWithin)]
	return headOfDocker.Match(head) || headOfContainers.Match(head) || headOfPods.Match(head)
}

var units = map[string]time.Duration{
	"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour,
	"week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
}

// before returns the time that is an age before at, in nanoseconds; 0 if there is none.
func before(at time.Time, text string) int64 {
	words := strings.Fields(strings.TrimSuffix(text, " ago"))
	if len(words) < 2 || at.IsZero() {
		return 0
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		n = 1 // about a minute, less than a second
	}
	unit := units[strings.TrimSuffix(words[len(words)-1], "s")]
	if unit == 0 || n > 1000 {
		return 0
	}
	return at.Add(-time.Duration(n) * unit).UnixNano()
}

// table reads the rows of a table that was printed at a given time.
func (p *printed) table(data []byte, at time.Time) {
	for line := range bytes.Lines(data) {
		if len(line) > maxRow || len(p.containers)+len(p.sandboxes) >= maxPrinted {
			continue
		}
		row := strings.TrimRight(string(line), "\r\n")
		if m := rowOfContainers.FindStringSubmatch(row); m != nil {
			c := p.container(m[1])
			c.Coarse, c.Name, c.Image, c.SandboxID, c.Pod, c.Namespace = true, m[5], m[2], m[7], m[8], m[9]
			c.Attempt, c.State, c.CreatedAt = numbered(m[6]), "CONTAINER_"+strings.ToUpper(m[4]), before(at, m[3])
		} else if m := rowOfPods.FindStringSubmatch(row); m != nil {
			s := p.sandbox(m[1])
			s.Coarse, s.Pod, s.Namespace, s.Attempt, s.CreatedAt = true, m[4], m[5], numbered(m[6]), before(at, m[2])
			s.State = "SANDBOX_" + strings.ToUpper(m[3])
		} else if m := rowOfDocker.FindStringSubmatch(row); m != nil {
			p.dockerRow(m, at)
		} else if m := chosenOfDocker(row); m != nil {
			p.dockerRow(m, at)
		}
	}
}

var (
	idOfRow     = regexp.MustCompile(`^([0-9a-f]{12,64})\s`)
	statusOfRow = regexp.MustCompile(`\s(Up|Exited|Created|Dead|Restarting)\b ?` +
		`((?:\(-?\d{1,10}\) ?)?(?:(?:Less than a|About an?|\d+) [a-z]+(?: ago)?)?)`)
	nameOfRow = regexp.MustCompile(`\s(k8s(?:_|://)\S+)`)
)

// chosenOfDocker splits a row of docker ps with custom columns (--format), as rowOfDocker does: the id comes first, and
// the name is one that a kubelet gives.
func chosenOfDocker(row string) []string {
	name := nameOfRow.FindStringSubmatch(row)
	if name == nil {
		return nil
	}
	id, status := idOfRow.FindStringSubmatch(row), statusOfRow.FindStringSubmatch(row)
	if id == nil || status == nil {
		return nil
	}
	return []string{row, id[1], "", "", status[1], status[2], name[1]}
}

// maxRow is longer than any row of such a table.
const maxRow = 4096

func numbered(s string) *uint32 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return nil
	}
	return new(uint32(n))
}

// dockerRow reads a row of docker ps. It knows the kubelet's containers by their names; a container named kubelet is
// the kubelet itself.
func (p *printed) dockerRow(m []string, at time.Time) {
	id, image, created, state, status, name := m[1], m[2], before(at, m[3]), m[4], m[5], m[6]
	began := int64(0)
	if since := up.FindString(status); state == "Up" && since != "" {
		began = before(at, since)
	}
	n, kubelets := dockerName(name)
	ended := exited.FindStringSubmatch(status)
	switch {
	case name != "kubelet":
	case began > created:
		p.kubelet, p.read = max(p.kubelet, began), p.read+1
	case state == "Exited" && ended != nil:
		p.kubeletEnded = max(p.kubeletEnded, before(at, ended[2]))
	}
	if !kubelets {
		if o := &p.oldest; began > 0 && (o.StartedAt == 0 || began < o.StartedAt) {
			*o = other{name, began}
		}
		return
	}
	if n.sandbox() {
		s := p.sandbox(id)
		s.Coarse, s.Pod, s.Namespace, s.PodUID, s.Attempt, s.CreatedAt, s.State = true,
			n.pod, n.namespace, n.uid, n.attempt, created, "SANDBOX_NOTREADY"
		if state == "Up" {
			s.State = stateReady
		}
		return
	}
	c := p.container(id)
	c.Coarse, c.Name, c.Pod, c.Namespace, c.PodUID, c.Attempt = true, n.container, n.pod, n.namespace, n.uid, n.attempt
	c.Image, c.CreatedAt, c.StartedAt, c.State = image, created, began, stateCreated
	switch {
	case state == "Up":
		c.State = stateRunning
	case state == "Exited" && ended != nil:
		if code, err := strconv.ParseInt(ended[1], 10, 32); err == nil {
			code := int32(code)
			c.State, c.ExitCode, c.FinishedAt = stateExited, &code, before(at, ended[2])
		}
	}
}

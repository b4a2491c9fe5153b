package foreign

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// sectionHead is the beginning of a section of minikube logs: "==> kubelet <==", up to v1.31 after "* " like every line
// below it (minikube pkg/minikube/logs logs.go OutputSection, out.Step).
var sectionHead = regexp.MustCompile(`^(?:\* ?)?==> (.{1,200}) <==\s*$`)

// sectionHeads matches all of them in a text.
var sectionHeads = regexp.MustCompile(`(?m)^(?:\* ?)?==> .{1,200} <==[ \t\r]*$`)

// nodesOwn are the sections of the node's own programs. All others are the output of containers or of kubectl.
var nodesOwn = []string{"kubelet", "dmesg", "containerd", "crio", "cri-o", "docker"}

// sectioned distinguishes the output of minikube logs from that of tail, which prints such headers before files.
func sectioned(head []byte) bool {
	for line := range bytes.Lines(head) {
		_, name, _ := strings.Cut(string(sectionHead.Find(bytes.TrimRight(line, " \r\n"))), "==> ")
		name, _, _ = strings.Cut(strings.ToLower(strings.TrimSuffix(name, " <==")), " [")
		if slices.Contains(nodesOwn, name) || slices.Contains(minikubes, name) {
			return true
		}
	}
	return false
}

// minikubes are other sections that minikube prints.
var minikubes = []string{statusSection, "audit", "last start", "describe nodes", "kernel", "coredns", "etcd",
	"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy", "storage-provisioner", "kindnet"}

// sections places the node's own sections of a file. A section whose name occurs twice is left out: a container's
// output may contain such a line.
func (p *places) sections(f evidence.File) {
	p.used++
	p.unwrapped[f.Path] = nil
	tell := p.teller(f)
	texts, times := map[string]*spool.Buffer{}, map[string]int{}
	var now *spool.Buffer
	err := part.Lines(f, func(line []byte, within bool) bool {
		if m := sectionHead.FindSubmatch(bytes.TrimRight(line, "\r\n")); m != nil && !within {
			name := strings.ToLower(string(m[1]))
			now = nil
			if slices.Contains(nodesOwn, name) || name == statusSection {
				times[name]++
				now = spool.OnDisk(p.room)
				texts[name] = now
			}
			return true
		}
		if now != nil {
			now.Add(bytes.TrimPrefix(line, []byte("* ")))
		}
		return true
	})
	if err != nil {
		tell(err.Error())
	}
	p.containersOf(f, texts, times[statusSection])
	for _, name := range nodesOwn {
		switch text := texts[name]; {
		case text == nil || text.Size() == 0:
		case times[name] > 1:
			tell(fmt.Sprintf("it has %d sections %q, and the output of a container may look like one: none is trusted",
				times[name], name))
		default:
			part := text.File(f.Path + "." + name)
			if name == "dmesg" { // in seconds since a boot whose time it does not have
				p.log(part, p.otherwise(p.minikubeNode(texts)), part.Path, true, false)
				continue
			}
			p.log(part, p.node, part.Path, true, false)
		}
	}
}

// statusSection is the output of crictl ps -a.
const statusSection = "container status"

// maxStatus is how many bytes of it are read.
const maxStatus = 4 << 20

// containersOf stores the table of containers as output of the node's runtime.
func (p *places) containersOf(f evidence.File, texts map[string]*spool.Buffer, times int) {
	text := texts[statusSection]
	if text == nil || times != 1 || text.Size() > maxStatus {
		return
	}
	table := text.File(f.Path + ".containers")
	if !cri.IsTable(head(table)) {
		return
	}
	node := p.minikubeNode(texts)
	p.cri[node] = append(p.cri[node], table)
	var parts []evidence.File
	for name, text := range texts {
		parts = append(parts, text.File(name))
	}
	if at := lastOf(parts, p.at); !at.IsZero() {
		if p.printedAt == nil {
			p.printedAt = map[string]time.Time{}
		}
		p.printedAt[node] = at
	}
}

// lastOf returns the time of the last line in the sections, which were printed together; zero where none shows a year.
func lastOf(parts []evidence.File, at time.Time) (last time.Time) {
	var dated []textlog.Dated
	for _, part := range parts {
		d := textlog.Dates(part, at.Add(24*time.Hour))
		if dated = append(dated, d); d.Whole.After(last) {
			last = d.Whole
		}
	}
	if y := textlog.YearOf(dated, at); y.Files > 0 && y.Guess == "" && y.Reference.After(last) {
		last = y.Reference
	}
	return last
}

// minikubeNode returns the host in the other sections.
func (p *places) minikubeNode(texts map[string]*spool.Buffer) string {
	if t := texts["kubelet"]; t != nil {
		if shares, err := hostsIn(t.File("kubelet"), false); err == nil && len(shares) == 1 {
			return p.names.of(shares[0].host)
		}
	}
	return bundle.UnknownNode
}

// clock returns when a text of sections was printed, by their lines.
func clock(text string, at time.Time) (time.Time, bool) {
	var parts []evidence.File
	for _, part := range sectionHeads.Split(text, -1)[1:] {
		parts = append(parts, evidence.Bytes("section", []byte(strings.TrimLeft(part, "\n"))))
	}
	last := lastOf(parts, at)
	return last, !last.IsZero()
}

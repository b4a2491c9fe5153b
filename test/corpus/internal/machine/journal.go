package machine

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Form is a format of logs.
type Form string

// The forms: as the node log query prints them; as a journal with ids, monotonic times and sequence numbers; the same
// with the kernel's log as records of /dev/kmsg.
const (
	Text    Form = "text"
	Journal Form = "journal"
	Kmsg    Form = "journal and kmsg"
)

// Forms are all of them.
var Forms = []Form{Text, Journal, Kmsg}

// Put returns the entry with these logs in place of its own for the node.
func (m *Machine) Put(e *entry.Entry, f Form) *entry.Entry {
	dir, out := "nodes/"+m.Name+"/", m.without(e)
	seqs := m.sequence()
	for _, log := range m.Logs {
		switch {
		case f == Text:
			out.Files[dir+"logquery/"+log.Name+".log"] = m.text(log)
		case f == Kmsg && log.Name == "kernel":
			out.Files[dir+"kmsg.txt"] = m.kmsg(log)
		default:
			kind := log.Name
			if kind != "kubelet" && kind != "kernel" {
				kind = "runtime"
			}
			out.Files[dir+"journal/"+kind+".export"] = m.export(log, seqs)
		}
	}
	return out
}

// without returns the entry without the node's logs.
func (m *Machine) without(e *entry.Entry) *entry.Entry {
	dir := "nodes/" + m.Name + "/"
	return e.Keep(func(p string) bool {
		return !strings.HasPrefix(p, dir+"logquery/") && !strings.HasPrefix(p, dir+"journal/") && p != dir+"kmsg.txt"
	})
}

var (
	bootID    = regexp.MustCompile(`"bootID":\s*"[^"]*",?`)
	machineID = regexp.MustCompile(`"machineID":\s*"[^"]*",?`)
	nodeInfo  = regexp.MustCompile(`"nodeInfo":\s*\{`)
)

// Tell writes the machine's id and a boot id into the node's object in the entry, if it has that object. boot "" means
// the last boot.
func (m *Machine) Tell(e *entry.Entry, boot string) {
	nodes := e.Files["cluster/nodes.json"]
	if nodes == nil {
		return
	}
	last, _ := m.last()
	nodes = machineID.ReplaceAll(bootID.ReplaceAll(nodes, nil), nil)
	id := cmp.Or(boot, m.Boots[last])
	ids := fmt.Sprintf(`"nodeInfo":{"machineID":%q,"bootID":"%s-%s-%s-%s-%s",`,
		m.ID, id[:8], id[8:12], id[12:16], id[16:20], id[20:])
	e.Files["cluster/nodes.json"] = []byte(strings.ReplaceAll(string(nodeInfo.ReplaceAll(nodes, []byte(ids))), ",}", "}"))
}

func (m *Machine) last() (boot int, step time.Duration) {
	var at time.Time
	m.Each(func(_ *Log, l *Line) {
		if boot = max(boot, l.Boot); !l.True.Before(at) {
			at, step = l.True, l.Step
		}
	})
	return boot, step
}

// sequence numbers all lines in the order in which the journal stored them, with gaps for other writers' entries.
func (m *Machine) sequence() map[string]int {
	seqs, all := map[string]int{}, &Log{}
	for _, log := range m.Logs {
		for i, l := range log.Lines {
			l.Fields = map[string]string{"key": fmt.Sprint(log.Name, i)}
			all.Lines = append(all.Lines, l)
		}
	}
	for i, l := range all.arrived() {
		seqs[l.Fields["key"]] = 1000 + 3*i
	}
	return seqs
}

func (m *Machine) export(log *Log, seqs map[string]int) []byte {
	var out strings.Builder
	for _, l := range log.arrived() {
		if l.Lost {
			continue
		}
		boot := m.Boots[l.Boot]
		since := l.True.Add(l.Late).Sub(m.Up).Microseconds()
		f := map[string]string{
			"_BOOT_ID": boot, "_MACHINE_ID": m.ID, "_HOSTNAME": m.Name, "SYSLOG_IDENTIFIER": l.Writer, "PRIORITY": "6",
			"_TRANSPORT": "stdout", "SYSLOG_FACILITY": "3", "_UID": "0", "_GID": "0",
			"_COMM": l.Writer, "_PID": fmt.Sprint(l.PID),
			"_SYSTEMD_UNIT": l.Unit, "_SYSTEMD_CGROUP": "/system.slice/" + l.Unit, "_SYSTEMD_SLICE": "system.slice",
		}
		switch {
		case l.Writer == "kernel":
			f = map[string]string{"_BOOT_ID": boot, "_MACHINE_ID": m.ID, "_HOSTNAME": m.Name,
				"SYSLOG_IDENTIFIER": "kernel", "PRIORITY": "6",
				"_TRANSPORT": "kernel", "SYSLOG_FACILITY": "0",
				"_SOURCE_MONOTONIC_TIMESTAMP": fmt.Sprint(l.True.Sub(m.Up).Microseconds())}
		case l.PID == 1:
			f["_TRANSPORT"], f["UNIT"], f["_SYSTEMD_CGROUP"] = "journal", spokenOf(l.Text, log.Name), "/init.scope"
		case l.Writer == "systemd-journald":
			f["_TRANSPORT"] = "driver"
		}
		if f["_TRANSPORT"] == "journal" || l.Writer == "systemd-oomd" { // streams have none
			f["_SOURCE_REALTIME_TIMESTAMP"] = fmt.Sprint(l.True.Add(l.Step).UnixMicro())
		}
		maps.Copy(f, l.Fields)
		fmt.Fprintf(&out, "__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n__SEQNUM=%d\n__SEQNUM_ID=4711%028d\n",
			l.Stored().UnixMicro(), since, seqs[fmt.Sprint(log.Name, l.at)], 0)
		for _, name := range slices.Sorted(maps.Keys(f)) {
			if f[name] != "" {
				fmt.Fprintf(&out, "%s=%s\n", name, f[name])
			}
		}
		fmt.Fprintf(&out, "MESSAGE=%s\n\n", Stamped(l.Text, l.Step))
	}
	return []byte(out.String())
}

// spokenOf returns the unit that a line of systemd is about.
func spokenOf(text, log string) string {
	for word := range strings.FieldsSeq(text) {
		if unit := strings.Trim(word, ".:"); strings.HasSuffix(unit, ".service") {
			return unit
		}
	}
	return log + ".service"
}

// kmsg prints the kernel's log of the last boot as records of /dev/kmsg.
func (m *Machine) kmsg(log *Log) []byte {
	var out strings.Builder
	last, step := m.last()
	id := m.Boots[last]
	fmt.Fprintf(&out, "# kmsg boottime=%s bootid=%s-%s-%s-%s-%s\n",
		m.Up.Add(step).UTC().Format("2006-01-02T15:04:05.000000Z"), id[:8], id[8:12], id[12:16], id[16:20], id[20:])
	for seq, l := range log.arrived() {
		if l.Boot != last || l.Lost {
			continue
		}
		priority := 6
		if l.Fields["SYSLOG_FACILITY"] == "1" {
			priority += 8
		}
		fmt.Fprintf(&out, "%d,%d,%d,-;%s\n", priority, 1000+seq, l.True.Sub(m.Up).Microseconds(), l.Text)
	}
	return []byte(out.String())
}

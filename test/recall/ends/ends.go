package ends

import (
	"bufio"
	"io"
	"maps"
	"regexp"
	"strings"
)

// Count is what a log says about exits.
type Count struct {
	// Ended are the ids of containers that exited, by their pod's UID. If the log has exit codes (kubelet 1.22 and
	// newer), it has no ids of sandboxes. An exit of a deleted pod needs no explanation and is not counted.
	Ended map[string]string
	// Codes: the log has exit codes, so an exit without one is a sandbox.
	Codes bool
}

var (
	// finished is the line with an exit code.
	finished = regexp.MustCompile(`\(PLEG\): container finished" podID="([^"]+)" containerID="([0-9a-f]+)" exitCode=`)
	// died is PLEG's event, structured (1.21 and newer) or printed.
	died = regexp.MustCompile(
		`event=&?(?:pleg\.PodLifecycleEvent)?\{"?ID"?:"?([^",\s]+)"?,? "?Type"?:"?ContainerDied"?,? "?Data"?:"?([0-9a-f]{64})|event=\{"ID":"([^"]+)","Type":"ContainerDied","Data":"([0-9a-f]+)"`)
	// named is a line with a pod's name and UID, deleted the line for a pod that was deleted from the API server.
	named = regexp.MustCompile(
		`pod="([^"]+)" podUID="([^"]+)"|event for pod" pod="([^"]+)" event=\{"ID":"([^"]+)"`)
	deleted = regexp.MustCompile(`"SyncLoop (?:DELETE|REMOVE)"(?: source="api" pods=|.*"source":"api","pods":)\[([^\]]+)\]`)
	// listed is one pod in such a line, as text or as JSON.
	listed  = regexp.MustCompile(`"([^"/]+/[^"]+)"|\{"name":"([^"]+)","namespace":"([^"]+)"\}`)
	printed = regexp.MustCompile(
		`\(PLEG\): .*event: &pleg\.PodLifecycleEvent\{ID:"([^"]+)", Type:"ContainerDied", Data:"([0-9a-f]+)"`)
)

// Of counts the exits in a log.
func Of(r io.Reader) (Count, error) {
	c := Count{Ended: map[string]string{}}
	events := map[string]string{}
	uids, gone := map[string][]string{}, map[string]bool{} // by pod name; deleted pods
	unseen := map[string]bool{}                            // names of pods deleted before a line had their UID
	s := bufio.NewScanner(r)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		line := s.Text()
		if m := named.FindStringSubmatch(line); m != nil {
			name, uid := m[1]+m[3], m[2]+m[4]
			if uids[name] = append(uids[name], uid); unseen[name] { // its first line comes after its deletion
				delete(unseen, name)
				gone[uid] = true
				maps.DeleteFunc(c.Ended, func(_, of string) bool { return of == uid })
			}
		}
		if m := deleted.FindStringSubmatch(line); m != nil {
			for _, pod := range listed.FindAllStringSubmatch(m[1], -1) {
				name := pod[1]
				if name == "" {
					name = pod[3] + "/" + pod[2]
				}
				for _, uid := range uids[name] {
					gone[uid] = true
				}
				unseen[name] = len(uids[name]) == 0
			}
		}
		if !strings.Contains(line, "PLEG") {
			continue
		}
		if m := finished.FindStringSubmatch(line); m != nil && !gone[m[1]] {
			c.Ended[m[2]], c.Codes = m[1], true
		}
		for _, re := range []*regexp.Regexp{died, printed} {
			if m := re.FindStringSubmatch(line); m != nil {
				uid, id := m[1], m[2]
				if id == "" {
					uid, id = m[3], m[4]
				}
				events[id] = uid
			}
		}
	}
	if !c.Codes {
		c.Ended = events
	}
	return c, s.Err()
}

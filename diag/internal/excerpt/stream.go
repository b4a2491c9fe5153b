package excerpt

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/dockerevent"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// dockerEvents returns the exited containers in the form of docker inspect: dockerd's exit event has the same state.
// plain are the containers that no kubelet named, by names: each is a pod of its own, with its last end.
func (p Part) dockerEvents(at describe.Place) (inspected string, plain []json.RawMessage, names []string) {
	var all []object
	last := map[string]object{}
	for _, e := range dockerevent.Ends(p.Lines) {
		state := object{"Status": "exited", "ExitCode": e.Code, "OOMKilled": e.OOM, "FinishedAt": e.At}
		switch {
		case strings.HasPrefix(e.Name, "k8s_"):
			all = append(all, object{"Id": e.ID, "Created": "", "Name": "/" + e.Name, "State": state})
		case dockerevent.Plain(e.Name):
			last[e.Name] = object{"name": e.Name, "lastState": object{"terminated": dockerevent.Terminated(state)}}
		}
	}
	names = slices.Sorted(maps.Keys(last))
	for _, name := range names {
		at.Pod, at.Namespace = name, cmp.Or(at.Namespace, "default")
		plain = podrecord.Append(plain, asPod(object{}, object{"containerStatuses": []any{last[name]}}, at))
	}
	if len(all) == 0 {
		return "", plain, names
	}
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return "", plain, names
	}
	return strings.TrimSpace(string(raw)), plain, names
}

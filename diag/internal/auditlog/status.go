package auditlog

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// Restarted returns the pod whose status a kubelet reports by a request, with those of its containers that restarted;
// nil if there are none. How a container ended that runs no more is left out: at the end of every deletion a kubelet
// reports that, too. The pod has the UID of one that is known by its name alone, so that nothing is proven by it.
func Restarted(raw []byte) []byte {
	var e auditEvent
	if !bytes.Contains(raw, []byte(`"lastState"`)) || json.Unmarshal(raw, &e) != nil || !e.granted() ||
		e.ObjectRef.Subresource != "status" || !strings.HasPrefix(e.User.Username, "system:node:") {
		return nil
	}
	var reported struct {
		Status map[string]json.RawMessage `json:"status"`
	}
	if json.Unmarshal(e.RequestObject, &reported) != nil {
		return nil
	}
	status, found := map[string]any{}, false
	for _, key := range []string{"initContainerStatuses", "containerStatuses"} {
		var all, restarted []json.RawMessage
		if json.Unmarshal(reported.Status[key], &all) != nil {
			continue
		}
		for _, one := range all {
			var c struct {
				LastState struct {
					Terminated *struct{} `json:"terminated"`
				} `json:"lastState"`
			}
			if json.Unmarshal(one, &c) == nil && c.LastState.Terminated != nil {
				restarted = append(restarted, one)
			}
		}
		status[key], found = restarted, found || len(restarted) > 0
	}
	if !found {
		return nil
	}
	pod, err := json.Marshal(podrecord.Row(e.ObjectRef.Namespace, e.ObjectRef.Name,
		strings.TrimPrefix(e.User.Username, "system:node:"), status))
	if err != nil {
		return nil
	}
	return pod
}

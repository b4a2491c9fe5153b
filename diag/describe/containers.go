package describe

import (
	"fmt"
	"slices"
	"strings"
)

// Whose tells what else is known of a pod by its name: "" where nothing is.
type Whose func(pod string) (namespace, uid string)

// listed is a row of crictl's table of containers.
type listed struct {
	id, image, name, pod, namespace string
	running, named                  bool
	attempt                         int
}

// OfContainers reads what crictl ps -a prints (minikube logs has it as "container status"): attempts tell what was
// restarted. It has neither exit codes nor exact times, and in old versions no names of pods.
func OfContainers(lines []string, node string, whose Whose) Found {
	var f Found
	var head columns
	var rows []listed
	for _, l := range lines {
		if h := headOf(l); isContainers(h) {
			head = h
			continue
		}
		if head.names == nil || strings.TrimSpace(l) == "" || len(rows) >= maxContainers {
			continue
		}
		if r, ok := listedOf(head.row(l)); ok {
			rows = append(rows, r)
		}
	}
	// The newest attempt of each container stands for it; the others are its ends.
	slices.SortStableFunc(rows, func(a, b listed) int { return b.attempt - a.attempt })
	pods := map[string]object{}
	var order []string
	seen, over := map[string]bool{}, 0
	for _, r := range rows {
		key := r.namespace + "/" + r.pod
		if seen[key+"/"+r.name] {
			continue
		}
		seen[key+"/"+r.name] = true
		if !r.running && r.named { // a sandbox is another one after the restart, its pod is not
			over++
		}
		if r.attempt == 0 {
			continue
		}
		p := pods[key]
		if p == nil {
			p = r.podOf(node, whose)
			pods[key], order = p, append(order, key)
		}
		spec, status := p["spec"].(object), p["status"].(object)
		spec["containers"] = append(spec["containers"].([]object), object{"name": r.name, "image": r.image})
		state := object{"waiting": object{}}
		if r.running {
			state = object{"running": object{}}
		}
		status["containerStatuses"] = append(status["containerStatuses"].([]object),
			object{"name": r.name, "image": r.image, "restartCount": r.attempt, "ready": r.running, "containerID": "cri://" + r.id, "state": state})
	}
	for _, key := range order {
		f.add(pods[key])
	}
	if len(rows) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("its table of containers has neither exit codes nor exact times; %d containers in it ended and did not start again: crictl ps -a -o json and crictl inspect tell more", over))
	}
	return f
}

const maxContainers = 20_000

func isContainers(h columns) bool {
	return h.has("IMAGE", "STATE", "NAME", "ATTEMPT") && (h.has("CONTAINER") || h.has("CONTAINER ID"))
}

// podOf makes the pod of a row. Without its name its sandbox's id stands for it.
func (r *listed) podOf(node string, whose Whose) object {
	namespace, uid := r.namespace, ""
	if whose != nil {
		ns, id := whose(r.pod)
		if namespace == "" || namespace == ns {
			namespace, uid = ns, id
		}
	}
	if uid == "" {
		uid = "described/" + namespace + "/" + r.pod
	}
	return object{
		"kind": "Pod", "apiVersion": "v1", "metadata": object{"name": r.pod, "namespace": namespace, "uid": uid},
		"spec": object{"nodeName": node, "containers": []object{}}, "status": object{"phase": "Running", "containerStatuses": []object{}},
	}
}

func listedOf(row map[string]string) (r listed, ok bool) {
	r = listed{id: row["CONTAINER"], image: row["IMAGE"], name: row["NAME"], pod: row["POD"], namespace: row["NAMESPACE"]}
	if r.id == "" {
		r.id = row["CONTAINER ID"]
	}
	if r.named = r.pod != ""; !r.named {
		r.pod = row["POD ID"]
	}
	r.running = row["STATE"] == "Running"
	r.attempt, ok = number(row["ATTEMPT"])
	return r, ok && r.name != "" && r.pod != "" && (r.running || row["STATE"] == "Exited")
}

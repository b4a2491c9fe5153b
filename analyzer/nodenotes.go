package analyzer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nodeNotes returns the problems of nodes that will end containers sooner or later, whether any has ended yet or not.
// wants selects the nodes.
func nodeNotes(s *evidence.Snapshot, wants func(node string) bool) []report.NodeNote {
	by := map[string][]*evidence.Observation{}
	for i := range s.Observations {
		o := &s.Observations[i]
		switch o.Fact.(type) { // all kinds that are used below: most observations are of other kinds
		case evidence.CgroupPlacement, evidence.RuntimeEndpoint, evidence.UnitState,
			evidence.CheckpointState, evidence.StaticManifest:
			if node := o.Subject.Node; node != "" && wants(node) {
				by[node] = append(by[node], o)
			}
		}
	}
	var notes []report.NodeNote
	for _, node := range slices.Sorted(maps.Keys(by)) {
		for _, look := range []func([]*evidence.Observation) []report.NodeNote{outside, withoutCgroup,
			leftovers, stopsContainers, kubeletFiles} {
			for _, note := range look(by[node]) {
				note.Node = node
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// clockNotes reports which clocks differ: anyone who compares times by hand must know.
func clockNotes(profiles []report.Profile) (notes []report.NodeNote) {
	for _, p := range profiles {
		for _, s := range p.ClockSkew {
			what, word := "its "+s.Source, "ahead of"
			hint := "set the time zone of the log, or the clock of the machine that wrote it; the verdicts already correct " +
				"for the difference"
			if s.Source == string(evidence.SourceAPI) {
				what, hint = "the API server's clock",
					"synchronise the clocks (chrony, systemd-timesyncd): leases, tokens and certificates depend on them too; the "+
						"verdicts already correct for the difference"
			}
			d := time.Duration(s.Seconds * float64(time.Second)).Round(time.Second)
			if d < 0 {
				d, word = -d, "behind"
			}
			notes = append(notes, report.NodeNote{Node: p.Node,
				Text: fmt.Sprintf("%s is %s %s its containers' times, by %d pairs of observations", what, d, word, s.Pairs),
				Hint: hint, Evidence: s.Evidence})
		}
	}
	return notes
}

// placements returns where the containers of a node are, and the observations' ids.
func placements(obs []*evidence.Observation, keep func(evidence.CgroupPlacement) bool) (
	found []evidence.CgroupPlacement, ids []string, all int) {
	for _, o := range obs {
		if f, ok := o.Fact.(evidence.CgroupPlacement); ok {
			if all++; keep(f) {
				found, ids = append(found, f), append(ids, o.ID)
			}
		}
	}
	return found, ids, all
}

// doubt returns the reservation about a placement: the kubelet's cgroup driver is known only from its configuration.
func doubt(found []evidence.CgroupPlacement) string {
	if slices.ContainsFunc(found, func(f evidence.CgroupPlacement) bool { return f.DriverFrom == "told" }) {
		return ", if the kubelet uses the cgroup driver in its configuration"
	}
	return ""
}

// outside reports containers whose processes are not below their pod's cgroup.
func outside(obs []*evidence.Observation) []report.NodeNote {
	found, ids, all := placements(obs, func(f evidence.CgroupPlacement) bool { return f.Outside })
	if len(found) == 0 {
		return nil
	}
	f := found[0]
	hint := "set the same cgroup driver for kubelet and runtime, then recreate the pods: a cleanup of the pods' cgroups " +
		"kills these containers without a log line"
	if i := slices.IndexFunc(found, func(f evidence.CgroupPlacement) bool { return f.SpecForm }); i >= 0 {
		f = found[i]
		hint = "the runtime treats systemd cgroup names as directories: set SystemdCgroup = true (containerd) or " +
			"cgroup_manager = systemd (CRI-O), restart the runtime, then recreate the pods"
	}
	at := f.Expected
	if at == "" {
		at = "any pod's cgroup"
	}
	return []report.NodeNote{
		{Text: fmt.Sprintf("%d of %d containers run outside their pods' cgroups%s: %s is not under %s",
			len(found), all, doubt(found), f.Path, at), Hint: hint, Evidence: ids}}
}

// withoutCgroup reports pods that run without a cgroup where this kubelet looks for it.
func withoutCgroup(obs []*evidence.Observation) []report.NodeNote {
	found, ids, _ := placements(obs, func(f evidence.CgroupPlacement) bool {
		return f.Expected != "" && (!f.Exists || len(f.Lacking) > 0)
	})
	if len(found) == 0 {
		return nil
	}
	pods := map[string]bool{}
	for _, f := range found {
		pods[f.Expected] = true
	}
	f := found[0]
	what := f.Expected + " does not exist"
	if f.Exists {
		what = f.Expected + " is missing in " + strings.Join(f.Lacking, ", ")
	}
	return []report.NodeNote{{Text: fmt.Sprintf("%d running pods have no cgroup where this kubelet looks for it%s: %s",
		len(pods), doubt(found), what),
		Hint: "a kubelet kills a pod whose cgroup it does not find: did its cgroup driver, its cgroup root or the pods' " +
			"QoS class change after they started?", Evidence: ids}}
}

// leftovers reports containers of a runtime that the kubelet no longer uses.
func leftovers(obs []*evidence.Observation) (notes []report.NodeNote) {
	configured := slices.ContainsFunc(obs, func(o *evidence.Observation) bool {
		f, ok := o.Fact.(evidence.RuntimeEndpoint)
		return ok && f.Configured
	})
	for _, o := range obs {
		if f, ok := o.Fact.(evidence.RuntimeEndpoint); ok && configured && !f.Configured && f.Sandboxes > 0 {
			notes = append(notes, report.NodeNote{Text: fmt.Sprintf("%s %s at %s still has %d pod sandboxes and %d "+
				"containers, but the kubelet uses another runtime", f.Name, f.Version, f.Endpoint, f.Sandboxes, f.Containers),
				Hint:     "the kubelet does not manage them: they keep running beside the new ones that it started",
				Evidence: []string{o.ID}})
		}
	}
	return notes
}

// stopsContainers reports a runtime unit whose stop kills its containers. dockerd stops them itself, unless
// live-restore is on.
func stopsContainers(obs []*evidence.Observation) (notes []report.NodeNote) {
	for _, o := range obs {
		f, ok := o.Fact.(evidence.UnitState)
		runtime := f.Unit == "containerd.service" || f.Unit == "crio.service"
		if ok && runtime && f.Active == "active" && (f.KillMode == "control-group" || f.KillMode == "mixed") {
			notes = append(notes,
				report.NodeNote{Text: fmt.Sprintf("stopping %s kills every container: its KillMode is %s", f.Unit, f.KillMode),
					Hint: "KillMode=process keeps the containers running", Evidence: []string{o.ID}})
		}
	}
	return notes
}

// kubeletFiles reports files that stop the kubelet at its next start, or that it does not accept as a pod.
func kubeletFiles(obs []*evidence.Observation) (notes []report.NodeNote) {
	for _, o := range obs {
		switch f := o.Fact.(type) {
		case evidence.CheckpointState:
			why := f.Problem.String()
			if f.Checksum == "bad" {
				why = "its checksum is wrong"
			}
			if f.Exists && why != "" {
				notes = append(notes,
					report.NodeNote{Text: fmt.Sprintf("the kubelet's checkpoint %s cannot be restored: %s", f.Name, why),
						Hint: "the kubelet will fail at its next start: drain the node, then remove the file", Evidence: []string{o.ID}})
			}
		case evidence.StaticManifest:
			if !f.Problem.Empty() {
				notes = append(notes,
					report.NodeNote{Text: fmt.Sprintf("the manifest %s is not a static pod: %s", f.Path, f.Problem),
						Hint: "the kubelet skips the file and stops the pod that was in it", Evidence: []string{o.ID}})
			}
		}
	}
	return notes
}

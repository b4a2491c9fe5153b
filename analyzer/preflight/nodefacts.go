package preflight

import (
	"cmp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nodeFacts is what the evidence says about one node apart from its object. The zero value knows nothing.
type nodeFacts struct {
	// version is that of the kubelet, from its own log.
	version string
	// cgroup is the version of the hierarchy, 0 when it was not read; failCgroupV1 is the kubelet's setting.
	cgroup       int
	failCgroupV1 *bool
	// gates are the feature gates that were set; gatesFrom is where they were read.
	gates     map[string]bool
	gatesFrom string
	// flags are the names of the flags on the kubelet's command line, nil when that was not read.
	flags []string
	// given are flags that were set according to its log; the log does not show others.
	given map[string]bool
	// settings are the kubelet's settings, as far as they were read.
	settings evidence.KubeletSettings
	// kubeletDriver and pathDriver are the cgroup drivers of the kubelet and of the runtime that created the
	// containers.
	kubeletDriver, pathDriver string
	// unreadable are the kubelet's state files that it cannot read; noActuated: there is no file of actuated resources.
	unreadable []string
	noActuated bool
	// innerBad and innerGood are state files with a second checksum that is wrong, or right: kubelets from 1.37 on use
	// that one, older ones the first.
	innerBad, innerGood map[string]bool
	// ownUIDs are the UIDs that manifests of static pods set themselves.
	ownUIDs map[string]bool
}

// The sources of a kubelet's settings.
const (
	fromConfiguration = "its configuration"
	fromLog           = "its log"
)

// nodeFactsOf reads the observations once.
func nodeFactsOf(s *evidence.Snapshot) map[string]*nodeFacts {
	all := map[string]*nodeFacts{}
	for i := range s.Observations {
		o := &s.Observations[i]
		switch o.Fact.(type) {
		case evidence.KubeletStarted, evidence.KubeletSettings, evidence.KubeletSetting, evidence.CgroupPlacement,
			evidence.CgroupControllers, evidence.CheckpointState, evidence.StaticManifest:
		default:
			continue
		}
		name := cmp.Or(o.Subject.Node, o.Source.Node)
		n := all[name]
		if n == nil {
			n = &nodeFacts{ownUIDs: map[string]bool{}}
			all[name] = n
		}
		n.add(o)
	}
	return all
}

func (n *nodeFacts) add(o *evidence.Observation) {
	switch f := o.Fact.(type) {
	case evidence.KubeletStarted:
		n.version = cmp.Or(f.Version, n.version)
	case evidence.KubeletSettings:
		if o.Source.Kind == evidence.SourceKubeletLog && n.gatesFrom == fromConfiguration {
			break // a log shows how a kubelet started at some time; its present settings say more
		}
		n.settings, n.failCgroupV1 = f, f.FailCgroupV1
		if f.Flags != nil {
			n.flags = f.Flags
		}
		if f.CgroupDriver != "" {
			n.kubeletDriver = f.CgroupDriver
		}
		switch {
		case o.Source.Kind == evidence.SourceKubeletLog:
			n.gates, n.gatesFrom = f.FeatureGates, fromLog
		case f.FeatureGates != nil:
			n.gates, n.gatesFrom = f.FeatureGates, fromConfiguration
		}
	case evidence.KubeletSetting:
		if flag, ok := strings.CutPrefix(f.Name, evidence.SettingFlag); ok {
			if n.given == nil {
				n.given = map[string]bool{}
			}
			n.given[flag] = true
		}
		if f.Name != evidence.SettingFeatureGates {
			break
		}
		// A log shows how a kubelet started at some time; its present settings say more.
		if o.Source.Kind != evidence.SourceKubeletLog {
			n.gates, n.gatesFrom = gatesOf(f.Value.String()), fromConfiguration
		} else if n.gatesFrom != fromConfiguration {
			n.gates, n.gatesFrom = gatesOf(f.Value.String()), fromLog
		}
	case evidence.CgroupPlacement:
		n.cgroup = f.Version
		n.pathDriver = f.PathDriver
		if n.kubeletDriver == "" {
			n.kubeletDriver = f.KubeletDriver
		}
	case evidence.CgroupControllers:
		n.cgroup = f.Version
	case evidence.CheckpointState:
		if f.Name == "actuated_pods_state" && !f.Exists {
			n.noActuated = true
		}
		if n.innerBad == nil {
			n.innerBad, n.innerGood = map[string]bool{}, map[string]bool{}
		}
		n.innerBad[f.Name], n.innerGood[f.Name] = f.DataChecksum == "bad", f.DataChecksum == "ok" && f.Problem.String() == ""
		if f.Exists && (f.Problem.String() != "" || f.Checksum == "bad") {
			n.unreadable = append(n.unreadable, f.Name)
		}
	case evidence.StaticManifest:
		if f.UID != "" {
			n.ownUIDs[f.UID] = true
		}
	}
}

// gatesOf parses "map[A:true B:false]" and "A=true,B=false".
func gatesOf(text string) map[string]bool {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "map["), "]")
	gates := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		name, value, ok := strings.Cut(strings.Replace(word, "=", ":", 1), ":")
		if ok && (value == "true" || value == "false") {
			gates[name] = value == "true"
		}
	}
	return gates
}

// olderAPIServer returns the older of the known API server and the pod, if that is one: an API server is recognized by
// its image tag in kube-system. With a managed control plane there is none.
func olderAPIServer(known kubelet.Version, p *evidence.Pod) kubelet.Version {
	if p.Namespace != "kube-system" {
		return known
	}
	for j := range p.Containers {
		c := &p.Containers[j]
		if c.Name != "kube-apiserver" {
			continue
		}
		image, _, _ := strings.Cut(c.Image, "@")
		v, err := kubelet.ParseVersion(image[strings.LastIndexByte(image, ':')+1:])
		if err == nil && (known.Major == 0 || v.Compare(known) < 0) {
			known = v
		}
	}
	return known
}

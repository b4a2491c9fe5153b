package cri

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
)

// maxPrinted is the maximum number of records taken from printed output.
const maxPrinted = 20_000

// errNoRecord means that the JSON holds something else.
var errNoRecord = errors.New("no record of a container or sandbox in it")

// FromPrinted builds a node's cri.json from what crictl (ps, pods, inspect, inspectp, each with -o json) and docker
// (inspect) printed, in any number of files. It merges records that appear in several files. gaps has what cannot be
// read; without a single record there is no file.
//
// The output contains commands, environment and mounts. They are never decoded. Tables for people have ages; at is the
// latest time at which they can have been printed. machine is the host in a prompt, whose name static pods
// have if the node's is unknown.
func FromPrinted(node, machine string, files []evidence.File, at time.Time) (f evidence.File, found bool,
	gaps []evidence.Gap) {
	p := printed{containers: map[string]*container{}, sandboxes: map[string]*sandbox{}}
	for _, f := range files {
		data, err := nodefile.Read(f)
		if err == nil {
			if IsYAML(data) {
				data, err = yaml.YAMLToJSON(data)
			}
			switch {
			case err != nil:
			case IsTable(data):
				p.table(data, at)
			default:
				err = p.documents(data)
			}
			if err != nil {
				err = fmt.Errorf("read %s: %w", f.Path, err)
			}
		}
		if err != nil {
			gaps = append(gaps, evidence.Gap{Source: evidence.SourceCRI, Node: node, Why: err.Error()})
		}
	}
	p.complete()
	if node != evidence.UnnamedNode || machine == "" || strings.HasPrefix(machine, "localhost") {
		machine = node
	}
	p.ofStaticPods(machine)
	if len(p.containers)+len(p.sandboxes) == 0 {
		return evidence.File{}, false, gaps
	}
	f, err := nodefile.Encode(nodefile.Path(node, "cri.json"), p.records())
	if err != nil {
		return evidence.File{}, false, append(gaps, evidence.Gap{Source: evidence.SourceCRI, Node: node, Why: err.Error()})
	}
	return f, true, gaps
}

// yamlKeys are keys of what crictl prints with -o yaml: of ps, pods, inspect and inspectp.
var yamlKeys = regexp.MustCompile(
	`(?m)^ *(?:- )?(?:podSandboxId|sandboxI[dD]|runtimeHandler): |^ *state: (?:SANDBOX|CONTAINER)_`)

// IsYAML reports whether a text is what crictl prints with -o yaml.
func IsYAML(text []byte) bool {
	begins := slices.ContainsFunc([]string{"containers:", "items:", "info:", "status:"},
		func(key string) bool { return bytes.HasPrefix(text, []byte(key)) })
	return begins && yamlKeys.Match(text)
}

// printed collects records.
type printed struct {
	containers map[string]*container
	sandboxes  map[string]*sandbox
	read       int   // records, including those that only complete another
	kubelet    int64 // when the kubelet was started, if it runs as a container
	// kubeletEnded is when it ended, if it does not run.
	kubeletEnded int64
	oldest       other // the oldest running container that belongs to no pod
}

// shortest is how many characters of an id tables show.
const shortest = 12

// complete merges records with a short id into those with the full id, and gives containers the pods of their
// sandboxes.
func (p *printed) complete() {
	whole := map[string]string{}
	for id := range p.containers {
		if len(id) == 64 {
			whole[id[:shortest]] = id
		}
	}
	for id := range p.containers {
		if w := whole[id[:min(len(id), shortest)]]; w != "" && w != id {
			delete(p.containers, id) // inspect has everything that a table has
		}
	}
	boxes := map[string]*sandbox{}
	for _, s := range p.sandboxes {
		boxes[s.ID[:min(len(s.ID), shortest)]] = s
	}
	for _, c := range p.containers {
		if s := boxes[c.SandboxID[:min(len(c.SandboxID), shortest)]]; s != nil && c.Coarse {
			c.SandboxID, c.Pod, c.Namespace, c.PodUID = s.ID, cmp.Or(c.Pod, s.Pod),
				cmp.Or(c.Namespace, s.Namespace), cmp.Or(c.PodUID, s.PodUID)
		}
	}
}

// ofControlPlane are the containers that kubeadm and similar tools run as static pods of the same name.
var ofControlPlane = []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"}

// ofStaticPods fills in pod names that a table leaves out, if they follow from the names of container and node.
func (p *printed) ofStaticPods(node string) {
	for _, c := range p.containers {
		switch {
		case !c.Coarse || c.Pod != "" || c.SandboxID == "" || node == "":
		case slices.Contains(ofControlPlane, c.Name):
			c.Pod, c.Namespace = c.Name+"-"+node, "kube-system"
		case c.Name == provisioner:
			c.Pod, c.Namespace = provisioner, "kube-system"
		}
	}
}

// provisioner is a bare pod of every minikube, and its container (minikube deploy/addons/storage-provisioner).
const provisioner = "storage-provisioner"

func (p *printed) records() records {
	r := records{Sandboxes: []sandbox{}, Containers: []container{}, KubeletStarted: p.kubelet,
		KubeletEnded: p.kubeletEnded, Other: p.oldest}
	for _, s := range p.sandboxes {
		r.Sandboxes = append(r.Sandboxes, *s)
	}
	for _, c := range p.containers {
		r.Containers = append(r.Containers, *c)
	}
	slices.SortFunc(r.Sandboxes, func(a, b sandbox) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(r.Containers, func(a, b container) int { return cmp.Compare(a.ID, b.ID) })
	return r
}

// documents reads JSON documents that follow one another.
func (p *printed) documents(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	before := p.read
	for {
		var raw json.RawMessage
		if err := dec.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if err := p.document(raw); err != nil {
			return err
		}
	}
	if p.read == before {
		return errNoRecord
	}
	return nil
}

// document reads one of the shapes, or a list of them.
func (p *printed) document(raw json.RawMessage) error {
	if raw[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		for _, one := range list {
			if len(one) == 0 || one[0] != '{' {
				return errNoRecord
			}
			if err := p.document(one); err != nil {
				return err
			}
		}
		return nil
	}
	var d struct {
		Containers []listed   `json:"containers"` // crictl ps
		Items      []listed   `json:"items"`      // crictl pods
		Status     *inspected `json:"status"`     // crictl inspect, inspectp
		Info       details    `json:"info"`
		ID         string     `json:"Id"` // docker inspect
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return err
	}
	switch {
	case d.Status != nil:
		d.Status.listed.normalise()
		p.add(d.Status, &d.Info)
	case d.ID != "":
		var docker dockerContainer
		if err := json.Unmarshal(raw, &docker); err != nil {
			return err
		}
		p.docker(&docker)
	}
	for _, l := range slices.Concat(d.Containers, d.Items) {
		l.normalise()
		p.add(&inspected{listed: l}, &details{})
	}
	return nil
}

// listed holds what lists and statuses have in common. Times are nanoseconds in a string (lists) or RFC 3339
// (statuses).
type listed struct {
	ID           string            `json:"id"`
	PodSandboxID string            `json:"podSandboxId"`
	Metadata     metadata          `json:"metadata"`
	State        string            `json:"state"`
	CreatedAt    when              `json:"createdAt"`
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations"`
	Image        struct {
		Image     string `json:"image"`
		Specified string `json:"userSpecifiedImage"`
	} `json:"image"`
	ImageRef string `json:"imageRef"`
}

type metadata struct {
	Name      string  `json:"name"`
	UID       string  `json:"uid"`
	Namespace string  `json:"namespace"`
	Attempt   *uint32 `json:"attempt"`
}

// normalise gives a first attempt its number, 0: printed JSON may leave zeros out.
func (l *listed) normalise() {
	if l.Metadata.Attempt == nil && l.Metadata.Name != "" {
		l.Metadata.Attempt = new(uint32)
	}
}

type inspected struct {
	listed
	StartedAt  when   `json:"startedAt"`
	FinishedAt when   `json:"finishedAt"`
	ExitCode   int32  `json:"exitCode"`
	Reason     string `json:"reason"`
	Message    string `json:"message"`
	Resources  struct {
		Linux struct {
			Memory number64 `json:"memoryLimitInBytes"`
		} `json:"linux"`
	} `json:"resources"`
	Network struct {
		IP string `json:"ip"`
	} `json:"network"`
	Linux struct {
		Namespaces struct {
			Options struct {
				Network string `json:"network"`
			} `json:"options"`
		} `json:"namespaces"`
	} `json:"linux"`
}

// number64 is a whole number, which JSON of protobuf messages has as a string; 0 for anything else.
type number64 int64

// UnmarshalJSON accepts a number, or a number in a string.
func (n *number64) UnmarshalJSON(data []byte) error {
	have, _ := strconv.ParseInt(strings.Trim(string(data), `"`), 10, 64)
	*n = number64(have)
	return nil
}

// when is a time in nanoseconds since the epoch, 0 for none.
type when int64

// UnmarshalJSON accepts a number, a number in a string, or RFC 3339. Anything else means no time.
func (w *when) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		*w = when(n)
		return nil
	}
	// The year 1 means never; nanoseconds reach until 2262.
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil && t.Year() >= 1970 && t.Year() < 2262 {
		*w = when(t.UnixNano())
	}
	return nil
}

// add adds a container or a sandbox, distinguished by the name of the state.
func (p *printed) add(i *inspected, d *details) {
	switch {
	case i.ID == "" || len(p.containers)+len(p.sandboxes) >= maxPrinted:
	case strings.HasPrefix(i.State, "SANDBOX_"):
		s := p.sandbox(i.ID)
		s.Namespace, s.Pod, s.PodUID, s.Attempt = i.Metadata.Namespace, i.Metadata.Name, i.Metadata.UID, i.Metadata.Attempt
		s.State, s.CreatedAt = i.State, cmp.Or(int64(i.CreatedAt), s.CreatedAt)
		s.IP, s.PID = cmp.Or(i.Network.IP, s.IP), cmp.Or(d.PID, s.PID)
		s.CgroupsPath = cmp.Or(d.RuntimeSpec.Linux.CgroupsPath, s.CgroupsPath)
		s.HostNetwork = s.HostNetwork || i.Linux.Namespaces.Options.Network == "NODE"
	case strings.HasPrefix(i.State, "CONTAINER_"):
		c := p.container(i.ID)
		c.Namespace, c.Pod, c.PodUID = i.Labels[labelNamespace], i.Labels[labelPod], i.Labels[labelPodUID]
		c.Name, c.Attempt = cmp.Or(i.Metadata.Name, i.Labels[labelContainer]), i.Metadata.Attempt
		c.SandboxID = cmp.Or(i.PodSandboxID, d.SandboxID, c.SandboxID)
		c.CreatedAt, c.StartedAt, c.FinishedAt = cmp.Or(int64(i.CreatedAt), c.CreatedAt),
			cmp.Or(int64(i.StartedAt), c.StartedAt), cmp.Or(int64(i.FinishedAt), c.FinishedAt)
		c.Reason, c.Message = cmp.Or(i.Reason, c.Reason), cmp.Or(capped(i.Message), c.Message)
		c.Image = cmp.Or(i.Image.Specified, c.Image, i.Image.Image)
		c.ImageRef = cmp.Or(i.ImageRef, c.ImageRef)
		c.MemoryLimit = cmp.Or(int64(i.Resources.Linux.Memory), c.MemoryLimit)
		c.PID, c.CgroupsPath = cmp.Or(d.PID, c.PID), cmp.Or(d.RuntimeSpec.Linux.CgroupsPath, c.CgroupsPath)
		keep(&c.Annotations, i.Annotations, annotationsKept)
		// A list has the state too, but no exit code, and may be the older of the two.
		if c.State != stateExited {
			c.State = i.State
		}
		if i.State == stateExited && i.FinishedAt != 0 {
			c.ExitCode = new(i.ExitCode)
		}
	}
}

func (p *printed) container(id string) *container {
	p.read++
	if p.containers[id] == nil {
		p.containers[id] = &container{ID: id}
	}
	return p.containers[id]
}

func (p *printed) sandbox(id string) *sandbox {
	p.read++
	if p.sandboxes[id] == nil {
		p.sandboxes[id] = &sandbox{ID: id}
	}
	return p.sandboxes[id]
}

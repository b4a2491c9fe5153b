package cri

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	criclient "k8s.io/cri-client/pkg"
	"k8s.io/klog/v2"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

const (
	// callTimeout limits one call, so that a hanging runtime does not use up the whole time. The kubelet's own runtime
	// gets longer: on a node without free CPU or memory it answers late, and those are the nodes people look at.
	callTimeout = 5 * time.Second
	ownTimeout  = 20 * time.Second
	maxRecords  = 20000
)

// Collect asks the runtime for its containers and sandboxes. Whatever fails is a gap. A container whose status fails is
// kept as the list has it.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	// The client logs each failure itself; ours become gaps.
	ctx = klog.NewContext(ctx, logr.Discard())
	ctx, cancel := pace.Within(ctx, s.o.Timeout)
	defer cancel()

	r, gaps := s.connect(ctx)
	if r == nil {
		return nil, gaps
	}
	defer r.service.Close(ctx)
	gaps = append(gaps, r.read(ctx)...)
	at := s.o.Now().UTC()
	r.records.CollectedAt = at
	return nodefile.Store(evidence.SourceCRI, s.o.Node, "cri.json", r.records, at, NewPiece, gaps)
}

// reader is one connected runtime with what it listed.
type reader struct {
	source     *Source
	from       candidate
	service    internalapi.RuntimeService
	records    records
	sandboxes  []*runtimeapi.PodSandbox
	containers []*runtimeapi.Container
}

// connect tries every socket. It chooses the kubelet's, or else the first that has pods, or else the first that
// answers: a node may run another runtime for other purposes. Of the others it keeps only the numbers: pods of an
// unused runtime are what a switch of runtimes leaves behind.
func (s *Source) connect(ctx context.Context) (*reader, []evidence.Gap) {
	candidates := s.candidates()
	var answering []*reader
	var failed []error
	var gaps []evidence.Gap
	for _, c := range candidates {
		if _, err := os.Stat(c.socket); err != nil {
			switch {
			case errors.Is(err, fs.ErrPermission):
				failed = append(failed, err)
			case c.configured:
				gaps = append(gaps, s.gap(fmt.Sprintf("ask the kubelet's container runtime: %v", err), hintOf(err)))
			}
			continue
		}
		r, err := s.try(ctx, c)
		switch {
		case err == nil:
			answering = append(answering, r)
		case c.configured:
			gaps = append(gaps, s.gap(fmt.Sprintf("ask the kubelet's container runtime %s: %v", c.socket, err), hintOf(err)))
		default:
			failed = append(failed, fmt.Errorf("ask the container runtime %s: %w", c.socket, err))
		}
	}
	taken := pick(answering)
	for _, r := range answering {
		if r != taken {
			_ = r.service.Close(ctx)
		}
	}
	switch {
	case taken != nil:
		for _, r := range answering {
			taken.records.Endpoints = append(taken.records.Endpoints, endpoint{
				Endpoint: r.from.named, Runtime: r.records.Runtime, RuntimeVersion: r.records.RuntimeVersion,
				Sandboxes: len(r.sandboxes), Containers: len(r.containers), Used: r == taken, Configured: r.from.configured,
			})
		}
	case len(failed)+len(gaps) == 0:
		var sockets []string
		for _, c := range candidates {
			sockets = append(sockets, c.socket)
		}
		gaps = append(gaps, s.gap("find the container runtime: no socket at "+strings.Join(sockets, ", "),
			"name the socket of the kubelet's --container-runtime-endpoint"))
	default:
		for _, err := range failed {
			gaps = append(gaps, s.gap(err.Error(), hintOf(err)))
		}
	}
	return taken, gaps
}

// pick chooses among the runtimes that answer.
func pick(answering []*reader) *reader {
	var first, withPods *reader
	for _, r := range answering {
		switch {
		case r.from.configured:
			return r
		case withPods == nil && len(r.sandboxes)+len(r.containers) > 0:
			withPods = r
		case first == nil:
			first = r
		}
	}
	if withPods != nil {
		return withPods
	}
	return first
}

func hintOf(err error) string {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
		return "run as root on the node"
	}
	return "check that the runtime is up and serves CRI v1"
}

// try connects to one socket and lists its containers and sandboxes.
func (s *Source) try(ctx context.Context, c candidate) (*reader, error) {
	socket, limit := c.socket, callTimeout
	if c.configured {
		limit = ownTimeout
	}
	// The client waits a second or more for a socket without a server.
	conn, err := (&net.Dialer{Timeout: limit}).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	_ = conn.Close()
	service, err := criclient.NewRemoteRuntimeServiceBuilder().WithEndpoint("unix://" + socket).
		WithConnectionTimeout(limit).WithTracerProvider(nil).Build(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{source: s, from: c, service: service}
	if err := r.list(ctx); err != nil {
		_ = service.Close(ctx)
		return nil, err
	}
	return r, nil
}

func (r *reader) list(ctx context.Context) error {
	v, err := r.service.Version(ctx, "")
	if err != nil {
		return fmt.Errorf("version: %w", err)
	}
	pace.Step(ctx)
	r.records = records{
		Runtime: v.RuntimeName, RuntimeVersion: v.RuntimeVersion, Endpoint: r.from.named,
		Sandboxes: []sandbox{}, Containers: []container{},
	}
	if r.sandboxes, err = r.service.ListPodSandbox(ctx, nil); err != nil {
		return fmt.Errorf("list sandboxes: %w", err)
	}
	pace.Step(ctx)
	if r.containers, err = r.service.ListContainers(ctx, nil); err != nil {
		return fmt.Errorf("list containers: %w", err)
	}
	pace.Step(ctx)
	slices.SortFunc(r.sandboxes, func(a, b *runtimeapi.PodSandbox) int { return cmp.Compare(a.GetId(), b.GetId()) })
	slices.SortFunc(r.containers, func(a, b *runtimeapi.Container) int { return cmp.Compare(a.GetId(), b.GetId()) })
	return nil
}

// read asks for the status of everything listed.
func (r *reader) read(ctx context.Context) (gaps []evidence.Gap) {
	if n := len(r.sandboxes) + len(r.containers); n > maxRecords {
		gaps = append(gaps, r.source.gap(fmt.Sprintf("read the runtime's records: %d of %d are kept", maxRecords, n), ""))
		r.sandboxes = r.sandboxes[:min(len(r.sandboxes), maxRecords/2)]
		r.containers = r.containers[:min(len(r.containers), maxRecords-len(r.sandboxes))]
	}
	r.records.Settings = r.settings(ctx)
	var sandboxes, containers failures
	for _, listed := range r.sandboxes {
		rec := listedSandbox(listed)
		if err := r.completeSandbox(ctx, &rec); err != nil {
			sandboxes.add(rec.ID, err)
			rec.StatusError = capped(err.Error())
		}
		r.records.Sandboxes = append(r.records.Sandboxes, rec)
	}
	for _, listed := range r.containers {
		rec := listedContainer(listed)
		if err := r.completeContainer(ctx, &rec); err != nil {
			containers.add(rec.ID, err)
			rec.StatusError = capped(err.Error())
		}
		r.records.Containers = append(r.records.Containers, rec)
	}
	for _, f := range []struct {
		what string
		failures
		of int
	}{{"sandboxes", sandboxes, len(r.sandboxes)}, {"containers", containers, len(r.containers)}} {
		if f.count > 0 {
			gaps = append(gaps,
				r.source.gap(fmt.Sprintf("read the status of %d of %d %s: %s: %v", f.count, f.of, f.what, f.id, f.first), ""))
		}
	}
	return gaps
}

// failures counts failed calls and keeps the first.
type failures struct {
	count int
	id    string
	first error
}

func (f *failures) add(id string, err error) {
	if f.count++; f.count == 1 {
		f.id, f.first = id, err
	}
}

func (r *reader) completeSandbox(ctx context.Context, rec *sandbox) error {
	// With no time left every call would fail separately, with a long error each.
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	resp, err := r.service.PodSandboxStatus(ctx, rec.ID, true)
	if err != nil {
		return err
	}
	pace.Step(ctx)
	st := resp.GetStatus()
	rec.State, rec.CreatedAt = st.GetState().String(), cmp.Or(st.GetCreatedAt(), rec.CreatedAt)
	rec.IP = st.GetNetwork().GetIp()
	rec.HostNetwork = st.GetLinux().GetNamespaces().GetOptions().GetNetwork() == runtimeapi.NamespaceMode_NODE
	rec.Handler = st.GetRuntimeHandler()
	keep(&rec.Annotations, st.GetAnnotations(), sandboxAnnotations)
	d, err := parseInfo(resp.GetInfo())
	rec.PID, rec.CgroupsPath, rec.CgroupParent = d.PID, d.RuntimeSpec.Linux.CgroupsPath, d.parent()
	return err
}

// settings asks the runtime for its cgroup driver, by RuntimeConfig (kubelets ≥1.28 get theirs from it) or else from
// containerd's verbose status. A failure is no gap: the containers' paths show the driver as well.
func (r *reader) settings(ctx context.Context) settings {
	if c, err := r.service.RuntimeConfig(ctx); err == nil && c.GetLinux() != nil {
		return settings{CgroupDriver: strings.ToLower(c.GetLinux().GetCgroupDriver().String()), From: "RuntimeConfig"}
	}
	st, err := r.service.Status(ctx, true)
	if err != nil {
		return settings{}
	}
	return settings{CgroupDriver: driverOf(st.GetInfo()), From: "status"}.known()
}

func (r *reader) completeContainer(ctx context.Context, rec *container) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	resp, err := r.service.ContainerStatus(ctx, rec.ID, true)
	if err != nil {
		return err
	}
	pace.Step(ctx)
	st := resp.GetStatus()
	if st == nil {
		return criclient.ErrContainerStatusNil
	}
	rec.State = st.GetState().String()
	rec.CreatedAt, rec.StartedAt, rec.FinishedAt = cmp.Or(st.GetCreatedAt(), rec.CreatedAt),
		st.GetStartedAt(), st.GetFinishedAt()
	if st.GetState() == runtimeapi.ContainerState_CONTAINER_EXITED {
		rec.ExitCode = new(st.GetExitCode())
	}
	rec.Reason, rec.Message = st.GetReason(), capped(st.GetMessage())
	rec.Image = cmp.Or(st.GetImage().GetUserSpecifiedImage(), rec.Image, st.GetImage().GetImage())
	rec.ImageRef = cmp.Or(st.GetImageRef(), rec.ImageRef)
	rec.MemoryLimit = st.GetResources().GetLinux().GetMemoryLimitInBytes()
	keep(&rec.Annotations, st.GetAnnotations(), annotationsKept)
	d, err := parseInfo(resp.GetInfo())
	rec.PID, rec.CgroupsPath = d.PID, d.RuntimeSpec.Linux.CgroupsPath
	rec.SandboxID = cmp.Or(rec.SandboxID, d.SandboxID)
	return err
}

func listedSandbox(p *runtimeapi.PodSandbox) sandbox {
	attempt := p.GetMetadata().GetAttempt()
	rec := sandbox{
		ID: p.GetId(), Namespace: p.GetMetadata().GetNamespace(), Pod: p.GetMetadata().GetName(),
		PodUID:  p.GetMetadata().GetUid(),
		Attempt: &attempt, State: p.GetState().String(), CreatedAt: p.GetCreatedAt(), Handler: p.GetRuntimeHandler(),
	}
	keep(&rec.Annotations, p.GetAnnotations(), sandboxAnnotations)
	return rec
}

func listedContainer(c *runtimeapi.Container) container {
	attempt, labels := c.GetMetadata().GetAttempt(), c.GetLabels()
	rec := container{
		ID: c.GetId(), SandboxID: c.GetPodSandboxId(), Namespace: labels[labelNamespace],
		Pod: labels[labelPod], PodUID: labels[labelPodUID],
		Name: cmp.Or(c.GetMetadata().GetName(), labels[labelContainer]), Attempt: &attempt,
		State: c.GetState().String(), CreatedAt: c.GetCreatedAt(),
		Image: c.GetImage().GetUserSpecifiedImage(), ImageRef: c.GetImageRef(),
	}
	keep(&rec.Annotations, c.GetAnnotations(), annotationsKept)
	return rec
}

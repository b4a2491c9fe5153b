package cri

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	criclient "k8s.io/cri-client/pkg"
	"k8s.io/klog/v2"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/nodefile"
)

const (
	// callTimeout bounds one call: a runtime that hangs must not eat the whole time.
	callTimeout = 5 * time.Second
	maxRecords  = 20000
	// maxMessage is the most that is kept of a container's message: the runtime
	// puts an error here, and an error can quote a command line at length.
	maxMessage = 1 << 10
)

// Collect asks the runtime for its containers and sandboxes. Whatever could not
// be had is a gap; a container whose status fails is kept as the list has it.
func (s *Source) Collect(ctx context.Context) ([]evidence.Piece, []evidence.Gap) {
	// The client logs each failure by itself; ours go into gaps.
	ctx = klog.NewContext(ctx, logr.Discard())
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()

	r, gaps := s.connect(ctx)
	if r == nil {
		return nil, gaps
	}
	defer r.service.Close(ctx)
	gaps = append(gaps, r.read(ctx)...)
	at := s.o.Now().UTC()
	r.records.CollectedAt = at
	f, err := nodefile.Encode(nodefile.Path(s.o.Node, "cri.json"), r.records)
	if err != nil {
		return nil, append(gaps, s.gap(err.Error(), ""))
	}
	return []evidence.Piece{NewPiece(s.o.Node, f, at)}, gaps
}

// reader is one connected runtime with what it listed.
type reader struct {
	source     *Source
	service    internalapi.RuntimeService
	records    records
	sandboxes  []*runtimeapi.PodSandbox
	containers []*runtimeapi.Container
}

// connect takes the first endpoint that has pods, else the first that answers:
// beside the kubelet's runtime a node may run another one for other purposes.
func (s *Source) connect(ctx context.Context) (*reader, []evidence.Gap) {
	sockets := s.sockets()
	var spare *reader
	var failed []error
	for _, socket := range sockets {
		if _, err := os.Stat(socket); err != nil {
			if s.o.Endpoint != "" || errors.Is(err, fs.ErrPermission) {
				failed = append(failed, err)
			}
			continue
		}
		r, err := s.try(ctx, socket)
		if err != nil {
			failed = append(failed, fmt.Errorf("ask the container runtime %s: %w", socket, err))
			continue
		}
		if len(r.sandboxes)+len(r.containers) > 0 {
			if spare != nil {
				_ = spare.service.Close(ctx)
			}
			return r, nil
		}
		if spare == nil {
			spare = r
		} else {
			_ = r.service.Close(ctx)
		}
	}
	if spare != nil {
		return spare, nil
	}
	if len(failed) == 0 {
		return nil, []evidence.Gap{s.gap("find the container runtime: no socket at "+strings.Join(sockets, ", "), "name the socket of the kubelet's --container-runtime-endpoint")}
	}
	gaps := make([]evidence.Gap, 0, len(failed))
	for _, err := range failed {
		hint := "check that the runtime is up and serves CRI v1"
		if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
			hint = "run as root on the node"
		}
		gaps = append(gaps, s.gap(err.Error(), hint))
	}
	return nil, gaps
}

func (s *Source) sockets() []string {
	if s.o.Endpoint != "" {
		return []string{strings.TrimPrefix(s.o.Endpoint, "unix://")}
	}
	list := make([]string, len(endpoints))
	for i, e := range endpoints {
		list[i] = filepath.Join(s.o.Root, e)
	}
	return list
}

// try connects to one socket and lists what is there.
func (s *Source) try(ctx context.Context, socket string) (*reader, error) {
	// The client waits a second and more for a socket that nobody serves.
	conn, err := (&net.Dialer{Timeout: callTimeout}).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	_ = conn.Close()
	service, err := criclient.NewRemoteRuntimeServiceBuilder().WithEndpoint("unix://" + socket).
		WithConnectionTimeout(callTimeout).WithTracerProvider(nil).Build(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{source: s, service: service}
	if err := r.list(ctx, socket); err != nil {
		_ = service.Close(ctx)
		return nil, err
	}
	return r, nil
}

func (r *reader) list(ctx context.Context, socket string) error {
	v, err := r.service.Version(ctx, "")
	if err != nil {
		return fmt.Errorf("version: %w", err)
	}
	r.records = records{
		Runtime: v.RuntimeName, RuntimeVersion: v.RuntimeVersion, Endpoint: "unix://" + socket,
		Sandboxes: []sandbox{}, Containers: []container{},
	}
	if r.sandboxes, err = r.service.ListPodSandbox(ctx, nil); err != nil {
		return fmt.Errorf("list sandboxes: %w", err)
	}
	if r.containers, err = r.service.ListContainers(ctx, nil); err != nil {
		return fmt.Errorf("list containers: %w", err)
	}
	slices.SortFunc(r.sandboxes, func(a, b *runtimeapi.PodSandbox) int { return cmp.Compare(a.GetId(), b.GetId()) })
	slices.SortFunc(r.containers, func(a, b *runtimeapi.Container) int { return cmp.Compare(a.GetId(), b.GetId()) })
	return nil
}

// read asks for the status of everything that was listed.
func (r *reader) read(ctx context.Context) (gaps []evidence.Gap) {
	if n := len(r.sandboxes) + len(r.containers); n > maxRecords {
		gaps = append(gaps, r.source.gap(fmt.Sprintf("read the runtime's records: %d of %d are kept", maxRecords, n), ""))
		r.sandboxes = r.sandboxes[:min(len(r.sandboxes), maxRecords/2)]
		r.containers = r.containers[:min(len(r.containers), maxRecords-len(r.sandboxes))]
	}
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
			gaps = append(gaps, r.source.gap(fmt.Sprintf("read the status of %d of %d %s: %s: %v", f.count, f.of, f.what, f.id, f.first), ""))
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
	// Without time left each call would fail by itself, and say so at length.
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	resp, err := r.service.PodSandboxStatus(ctx, rec.ID, true)
	if err != nil {
		return err
	}
	st := resp.GetStatus()
	rec.State, rec.CreatedAt = st.GetState().String(), cmp.Or(st.GetCreatedAt(), rec.CreatedAt)
	rec.IP = st.GetNetwork().GetIp()
	rec.HostNetwork = st.GetLinux().GetNamespaces().GetOptions().GetNetwork() == runtimeapi.NamespaceMode_NODE
	d, err := parseInfo(resp.GetInfo())
	rec.PID, rec.CgroupsPath = d.PID, d.RuntimeSpec.Linux.CgroupsPath
	return err
}

func (r *reader) completeContainer(ctx context.Context, rec *container) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	resp, err := r.service.ContainerStatus(ctx, rec.ID, true)
	if err != nil {
		return err
	}
	st := resp.GetStatus()
	if st == nil {
		return criclient.ErrContainerStatusNil
	}
	rec.State = st.GetState().String()
	rec.CreatedAt, rec.StartedAt, rec.FinishedAt = cmp.Or(st.GetCreatedAt(), rec.CreatedAt), st.GetStartedAt(), st.GetFinishedAt()
	if st.GetState() == runtimeapi.ContainerState_CONTAINER_EXITED {
		code := st.GetExitCode()
		rec.ExitCode = &code
	}
	rec.Reason, rec.Message = st.GetReason(), capped(st.GetMessage())
	rec.Image = cmp.Or(st.GetImage().GetUserSpecifiedImage(), rec.Image, st.GetImage().GetImage())
	rec.ImageRef = cmp.Or(st.GetImageRef(), rec.ImageRef)
	keepAnnotations(rec, st.GetAnnotations())
	d, err := parseInfo(resp.GetInfo())
	rec.PID, rec.CgroupsPath = d.PID, d.RuntimeSpec.Linux.CgroupsPath
	rec.SandboxID = cmp.Or(rec.SandboxID, d.SandboxID)
	return err
}

func listedSandbox(p *runtimeapi.PodSandbox) sandbox {
	attempt := p.GetMetadata().GetAttempt()
	return sandbox{
		ID: p.GetId(), Namespace: p.GetMetadata().GetNamespace(), Pod: p.GetMetadata().GetName(), PodUID: p.GetMetadata().GetUid(),
		Attempt: &attempt, State: p.GetState().String(), CreatedAt: p.GetCreatedAt(),
	}
}

func listedContainer(c *runtimeapi.Container) container {
	attempt, labels := c.GetMetadata().GetAttempt(), c.GetLabels()
	rec := container{
		ID: c.GetId(), SandboxID: c.GetPodSandboxId(), Namespace: labels[labelNamespace], Pod: labels[labelPod], PodUID: labels[labelPodUID],
		Name: cmp.Or(c.GetMetadata().GetName(), labels[labelContainer]), Attempt: &attempt, State: c.GetState().String(), CreatedAt: c.GetCreatedAt(),
		Image: c.GetImage().GetUserSpecifiedImage(), ImageRef: c.GetImageRef(),
	}
	keepAnnotations(&rec, c.GetAnnotations())
	return rec
}

func keepAnnotations(rec *container, from map[string]string) {
	for _, key := range annotationsKept {
		if v, ok := from[key]; ok {
			if rec.Annotations == nil {
				rec.Annotations = map[string]string{}
			}
			rec.Annotations[key] = v
		}
	}
}

func capped(s string) string {
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + "…"
	}
	return s
}

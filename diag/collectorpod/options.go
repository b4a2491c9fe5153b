package collectorpod

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// Options configure collector pods. Zero fields have defaults.
type Options struct {
	// Namespace is where the pods are created; DefaultNamespace. Its Pod Security level must be privileged, because of
	// the node's directories.
	Namespace string
	// Image has this program as its entrypoint. It has no default: only a release knows the digest of its own image.
	Image string
	// Grants are what the pods may access beyond logs and cgroups.
	Grants []Grant
	// Since is how far back journals are read; 48 h.
	Since time.Duration
	// Timeout is for one node, from the creation of its pod to its removal; 2 minutes. Even if this program dies,
	// nothing runs on the node longer.
	Timeout time.Duration
	// Now is the clock; clock.Now.
	Now func() time.Time

	// poll is how often the API server is queried while waiting.
	poll time.Duration
	// confirm is how long to wait for a node to confirm that a pod ended.
	confirm time.Duration
}

// DefaultNamespace is the namespace in docs/rbac/collector.yaml.
const DefaultNamespace = "restartwhy"

const (
	// MaxTimeout limits Options.Timeout: Sweep treats older pods as abandoned.
	MaxTimeout = 10 * time.Minute
	// removal is the time for a removal, even if all other time has run out.
	removal = 10 * time.Second
	// Grace is how long a cancelled collection needs to remove its pod.
	Grace = removal + 2*time.Second
	// margin is how much longer than this program the cluster waits to remove a pod.
	margin = 30 * time.Second
	// memory limits the program on the node; it holds logs compressed.
	memory = "512Mi"
	// memorySoft keeps Go's heap below it.
	memorySoft = "400MiB"
)

func (o Options) withDefaults() Options {
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.Since = cmp.Or(o.Since, 48*time.Hour)
	o.Timeout = min(cmp.Or(o.Timeout, 2*time.Minute), MaxTimeout)
	o.poll = cmp.Or(o.poll, 500*time.Millisecond)
	o.confirm = cmp.Or(o.confirm, removal/2)
	o.Now = clock.Or(o.Now)
	return o
}

// CheckImage validates an image reference, and reports whether it is pinned by digest: a tag may be moved to other
// content than the reviewed one.
func CheckImage(image string) (pinned bool, err error) {
	if image == "" {
		return false, fmt.Errorf("no image for the collector pod")
	}
	if strings.ContainsAny(image, " \t\r\n") || len(image) > 512 {
		return false, fmt.Errorf("image %q is no reference", image)
	}
	_, digest, found := strings.Cut(image, "@sha256:")
	if found && len(digest) != 64 {
		return false, fmt.Errorf("image %q: a sha256 digest has 64 hex digits", image)
	}
	return found, nil
}

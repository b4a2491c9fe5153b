// Package configz asks a kubelet which feature gates it was given, through the API
// server: GET /api/v1/nodes/NODE/proxy/configz, which answers with the whole
// configuration that the kubelet runs with.
//
// It holds the request, the shape of the file that a bundle stores, and its reader.
// It may import diag/kube, diag/evidence, diag/internal/nodefile, diag/safetext and the error types of
// apimachinery. Of the answer only the feature gates are kept. The other keys are there
// with every default filled in: whether someone set them it does not tell, and no
// other key ever enters.
package configz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Kind is the source kind of what is read here.
const Kind evidence.SourceKind = "configz"

// Name is the file of a node below nodes/<node>/.
const Name = "configz.json"

// Config is the content of the file.
type Config struct {
	CollectedAt time.Time `json:"collectedAt"`
	// FeatureGates are those that the kubelet was given, by flag or configuration:
	// flags win, and both are in the answer (kubelet v1.10–v1.36 cmd/kubelet/app
	// kubeletConfigFlagPrecedence). Empty when it was given none.
	FeatureGates map[string]bool `json:"featureGates"`
}

const (
	maxAnswer = 1 << 20
	maxGates  = 1000
	timeout   = 15 * time.Second
)

// Source asks one node.
type Source struct {
	get  kube.Getter
	node string
	now  func() time.Time
}

// NewSource returns the source of one node.
func NewSource(get kube.Getter, node string, now func() time.Time) *Source {
	return &Source{get, node, now}
}

// Name names the source.
func (s *Source) Name() string { return "configuration of " + s.node }

// Collect asks once. A kubelet that does not answer costs a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c, err := s.ask(ctx)
	if err == nil {
		var f evidence.File
		if f, err = nodefile.Encode(nodefile.Path(s.node, Name), c); err == nil {
			return []evidence.RawEvidence{NewPiece(s.node, f, c.CollectedAt)}, nil
		}
	}
	gap := evidence.Gap{Source: Kind, Node: s.node, Why: fmt.Sprintf("ask the kubelet for its configuration: %v", err),
		Hint: "its feature gates are not known; collect on the node"}
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		gap.Hint = "needs the right to get nodes/proxy"
	}
	return nil, []evidence.Gap{gap}
}

func (s *Source) ask(ctx context.Context) (Config, error) {
	r, err := s.get.Get(ctx, "/api/v1/nodes/"+url.PathEscape(s.node)+"/proxy/configz", nil)
	if err != nil {
		return Config{}, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err != nil {
		return Config{}, err
	}
	gates, err := parse(data)
	return Config{CollectedAt: s.now().UTC(), FeatureGates: gates}, err
}

// parse takes the feature gates out of an answer. Its errors repeat nothing of it.
func parse(data []byte) (map[string]bool, error) {
	if len(data) > maxAnswer {
		return nil, fmt.Errorf("longer than %d KiB", maxAnswer>>10)
	}
	var answer struct {
		Config *struct {
			FeatureGates map[string]bool `json:"featureGates"`
		} `json:"kubeletconfig"`
	}
	if json.NewDecoder(bytes.NewReader(data)).Decode(&answer) != nil || answer.Config == nil {
		return nil, errors.New("the answer is no configuration of a kubelet")
	}
	gates := answer.Config.FeatureGates
	if len(gates) > maxGates {
		return nil, fmt.Errorf("more than %d feature gates", maxGates)
	}
	if gates == nil {
		gates = map[string]bool{}
	}
	return gates, nil
}

// NewPiece returns the piece of a stored configz.json.
func NewPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.New(Kind, node, f, func(b *evidence.Builder, data []byte) error {
		var c Config
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		if c.CollectedAt.IsZero() || len(c.FeatureGates) > maxGates {
			return errors.New("it is not as it was written")
		}
		var text bytes.Buffer
		for _, name := range slices.Sorted(maps.Keys(c.FeatureGates)) {
			if text.Len() > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, "%s=%t", safetext.Ident(name), c.FeatureGates[name])
		}
		value := safetext.Clean(text.String())
		b.Observe(evidence.Observation{
			Time: c.CollectedAt, Subject: evidence.Subject{Node: node},
			Source: evidence.Source{Kind: Kind, Node: node, Where: f.Path},
			Fact:   evidence.KubeletSetting{Name: evidence.SettingFeatureGates, Value: value},
			Text:   safetext.Clean("the kubelet's configuration: featureGates " + text.String()),
		})
		return nil
	})
}

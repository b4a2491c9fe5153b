package kubeletapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Kind is the source kind of the configuration.
const Kind evidence.SourceKind = "configz"

// GatesName is the file of a node below nodes/<node>/.
const GatesName = "configz.json"

// config is the content of the file. Other keys of the answer have every default filled in, so it does not show whether
// someone set them.
type config struct {
	CollectedAt time.Time `json:"collectedAt"`
	// FeatureGates are those that the kubelet was given, by flag or configuration: flags win, and both are in the
	// answer (kubelet v1.10–v1.36 cmd/kubelet/app kubeletConfigFlagPrecedence). Empty if there were none.
	FeatureGates map[string]bool `json:"featureGates"`
}

const (
	maxConfig = 1 << 20
	maxGates  = 1000
)

// Gates returns the source of a node's feature gates.
func Gates(get kube.Getter, node string, now func() time.Time) *Source {
	return &Source{question{
		kind: Kind, name: "configuration", file: GatesName, piece: NewGatesPiece, what: "for its configuration",
		lack: "its feature gates are not known; collect on the node",
		ask: func(at time.Time, answer func(string, func(io.Reader) error) error) (any, error) {
			c := config{CollectedAt: at}
			return &c, answer("configz", c.read)
		},
	}, get, node, now}
}

// read gets the feature gates from an answer. Its errors repeat nothing of the answer.
func (c *config) read(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, maxConfig+1))
	if err == nil {
		c.FeatureGates, err = parse(data)
	}
	return err
}

func parse(data []byte) (map[string]bool, error) {
	if len(data) > maxConfig {
		return nil, fmt.Errorf("longer than %d KiB", maxConfig>>10)
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

// NewGatesPiece returns the piece of a stored configz.json.
func NewGatesPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.Of(Kind, node, f, func(b nodefile.Observer, c *config) error {
		if c.CollectedAt.IsZero() || len(c.FeatureGates) > maxGates {
			return nodefile.ErrUnlikely
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
			Time: c.CollectedAt,
			Fact: evidence.KubeletSetting{Name: evidence.SettingFeatureGates, Value: value},
			Text: safetext.Clean("the kubelet's configuration: featureGates " + text.String()),
		})
		return nil
	})
}

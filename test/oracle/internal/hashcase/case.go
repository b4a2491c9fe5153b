// Package hashcase generates containers for the comparison of hashes, shrinks those that differ, returns our hash
// package's answers, and replays the recorded answers of real releases.
//
// It may import analyzer/kubelet/hash and the names of the drivers. It starts no program.
package hashcase

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
)

// Case is one container as the API server would send it.
type Case struct {
	// Touch says what was done to the resources' quantities before they were hashed. It changes their internal fields,
	// which the struct eras hash too.
	Touch     Touch            `json:"touch,omitempty"`
	Container corev1.Container `json:"container"`
}

// Touch is an operation that changes a quantity's internal fields.
type Touch int

// The ways to touch a quantity.
const (
	Untouched Touch = iota
	Rounded         // up to thousandths, as the API server's defaults do
	Decimal         // read as a decimal, which replaces the number with one
	touches
)

// Read decodes a line of JSON into the container that is hashed.
func Read(line []byte) (*corev1.Container, error) {
	c := &Case{}
	if err := json.Unmarshal(line, c); err != nil {
		return nil, fmt.Errorf("read case: %w", err)
	}
	for _, list := range []corev1.ResourceList{c.Container.Resources.Limits, c.Container.Resources.Requests} {
		for name, quantity := range list {
			switch c.Touch {
			case Rounded:
				quantity.RoundUp(resource.Milli)
			case Decimal:
				quantity.AsDec()
			}
			list[name] = quantity
		}
	}
	return &c.Container, nil
}

// Ours returns the answer that our hash package expects from a driver's release: one hash, or two separated by a blank
// if it has HashContainerWithoutResources. It uses both functions of the package: Hash for minor, one of the driver's
// versions, and All for every one of them. If they disagree the answer says so and equals no hash.
func Ours(d hashdriver.Driver, minor int, c *corev1.Container) string {
	answer := pick(d, minor, c, hash.All(c), hash.Hash)
	if d.WithoutResources() {
		answer += " " + pick(d, minor, c, hash.AllWithoutResources(c), hash.WithoutResources)
	}
	return answer
}

func pick(d hashdriver.Driver, minor int, c *corev1.Container, all []hash.EraHash,
	one func(int, *corev1.Container) (hash.Value, error)) string {
	answer := ""
	for m := d.From; m <= d.To; m++ {
		found := ""
		for _, h := range all {
			// The first entry of a minor version is that of its first patches, the last that of its late ones.
			if h.FromMinor <= m && m <= h.ToMinor && (found == "" || d.Late) {
				found = h.Hex
			}
		}
		if m > d.From && found != answer {
			return fmt.Sprintf("all: v1.%d has %s, v1.%d %s", d.From, answer, m, found)
		}
		answer = found
	}
	if d.Late {
		return answer // Hash returns the first patches' hash
	}
	r, err := one(minor, c)
	if err != nil {
		return fmt.Sprintf("hash: %v", err)
	}
	if r.Hex != answer {
		return fmt.Sprintf("all has %s, hash %s", answer, r.Hex)
	}
	return answer
}

package forensics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// lastStruct is the last minor that hashes the printed struct.
const lastStruct = 15

// tell sets origin, sentence, difference and notes of an answer with a valid hash.
func (b *book) tell(a *report.Provenance, q *Question, at, made int, by []maker) {
	if len(by) == 0 {
		b.tellUnknown(a, q, at, made)
		return
	}
	for n := range by {
		a.MadeBy = append(a.MadeBy, by[n].HashMaker)
	}
	i := &by[0]
	nameOnly := i.Algorithm == hash.FNV32aNameImage
	a.Difference = difference(i, q.Spec.Image)
	computed := "computed by a " + makers(i) + " kubelet from "
	switch {
	case i.plain() && i.thisImage && nameOnly:
		a.Origin, a.Sentence = report.FromThisSpec, computed+"this name and image, and it hashes nothing else"
	case i.plain() && i.thisImage:
		a.Origin, a.Sentence = report.FromThisSpec, computed+"the present spec"
	case i.plain() && nameOnly:
		a.Origin, a.Sentence = report.FromAnotherImage, computed+
			"this name and the image "+i.Image+i.named()+": the image changed"
	case i.plain() && i.template:
		a.Origin, a.Sentence = report.FromAnotherImage, computed+
			i.Source+" (image "+i.Image+"): the present spec, only the image changed"
	case i.plain():
		a.Origin, a.Sentence = report.FromAnotherImage, computed+"the present spec with the image "+
			i.Image+i.named()+": only the image changed"
	case i.template:
		a.Origin, a.Sentence = report.FromAnotherSpec, computed+i.Source+" (image "+i.Image+")"
	default:
		a.Origin, a.Sentence = report.FromAnotherSpec, computed+"this spec "+changed(i)
	}
	if a.Origin == report.FromThisSpec && a.Same != nil {
		if *a.Same {
			a.Sentence += "; the node's kubelet " + a.NodeKubelet + " computes the same"
		} else {
			a.Sentence += fmt.Sprintf(": only the kubelet changed, %s computes %s", a.NodeKubelet, a.Expected)
		}
	}
	if made > 0 && !i.covers(made) {
		a.Notes = append(a.Notes, "the node's records have kubelet "+a.Kubelet+
			" at that time, which does not store this hash: the match may be chance, or the clocks differ")
	}
	if n := len(by) - 1; n > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d more %s the same hash; the one with the fewest changes comes first",
			n, plural(n, "spec and kubelet gives", "specs and kubelets give")))
	}
}

// tellUnknown sets what can be said where nothing matches.
func (b *book) tellUnknown(a *report.Provenance, q *Question, at, made int) {
	s := &q.Stored[at]
	near := ""
	if len(q.Spec.Searched) > 0 {
		near = " nor a similar one"
	}
	a.Origin, a.Sentence = report.FromUnknown,
		fmt.Sprintf("no known spec gives it: not this one%s, with any image that was seen (%d %s compared)",
			near, a.Tried, plural(a.Tried, "hash was", "hashes were"))
	if hex, ok := normal(s.Second); ok && len(b.second[hex]) > 0 {
		a.Origin = report.FromAnotherSpec
		for _, i := range b.second[hex] {
			a.MadeBy = append(a.MadeBy, i.HashMaker)
		}
		a.Difference = []report.HashDifference{{Field: "resources", Then: "other", Now: "as in the spec"}}
		a.Sentence = fmt.Sprintf(
			"computed by a %s kubelet from this spec with other resources: the hash without resources matches the present spec",
			makers(&b.second[hex][0]))
		a.Tried += len(b.second) // after all others
		a.OneIn = chances / uint64(a.Tried)
		return
	}
	for n := range q.Stored {
		if other, ok := normal(q.Stored[n].Hash); n != at && ok && other == a.Hash {
			a.Notes = append(a.Notes, "instance "+short(q.Stored[n].ContainerID)+
				" has the same hash: nothing that is hashed changed between the two")
			break
		}
	}
	if !hasWhole(b.present) {
		a.Notes = append(a.Notes,
			"the hashes of kubelets up to v1.30 are not in the evidence: they need the whole spec, so use the live cluster")
	} else if len(q.Spec.Searched) == 0 {
		a.Notes = append(a.Notes,
			"similar specs were not hashed when this was collected: use the live cluster, or 'collect' only this pod")
	}
	if made > 0 && made <= lastStruct || made == 0 {
		a.Notes = append(a.Notes,
			"up to v1.15, a kubelet may hash a quantity in a form that differs from the API's: there, a mismatch does not "+
				"prove another spec")
	}
}

// whereToRead says where an unread hash is stored. dockershim keeps annotations as labels (kubelet v1.5–v1.23
// dockershim/helpers.go makeLabels).
func whereToRead(s *Stored) string {
	inspect, as := "crictl inspect ", "the annotation "
	if s.Runtime == "docker" {
		inspect, as = "docker inspect ", "the label annotation."
	}
	return "the runtime keeps it as long as the container: on the node, '" +
		inspect + short(s.ContainerID) + "' shows " + as +
		"io.kubernetes.container.hash, and --stored accepts it; '--evidence pod --collector-allow cri' or a bundle of the " +
		"node reads it too"
}

func hasWhole(all []maker) bool {
	return slices.ContainsFunc(all, func(i maker) bool { return i.Algorithm != hash.FNV32aNameImage })
}

func makers(i *maker) string {
	switch {
	case i.from == i.to:
		return i.From
	case i.to >= hash.NewestMinor:
		return i.From + " or later"
	}
	return i.From + "–" + strings.TrimPrefix(i.To, "v")
}

// changed says how a maker's spec differs.
func changed(i *maker) string {
	var parts []string
	if len(i.Without) > 0 {
		parts = append(parts, "without "+report.Listed(i.Without))
	}
	if len(i.With) > 0 {
		parts = append(parts, "with "+report.Listed(i.With))
	}
	if len(i.Changed) > 0 {
		parts = append(parts, "with another "+report.Listed(i.Changed))
	}
	if !i.thisImage {
		parts = append(parts, "with the image "+i.Image+i.named())
	}
	return report.Listed(parts)
}

// named says where the image of a maker is named: "that of revision 3 of deployment web".
func (i *maker) named() string {
	if i.Source == "" || i.thisImage {
		return ""
	}
	return " (named by " + i.Source + ")"
}

// difference lists field by field what changed since the hash was made.
func difference(i *maker, image string) []report.HashDifference {
	out := []report.HashDifference{}
	if !i.thisImage {
		out = append(out, report.HashDifference{Field: "image", Then: i.Image, Now: image})
	}
	for _, f := range i.Without {
		out = append(out, report.HashDifference{Field: f, Then: "not set", Now: "set"})
	}
	for _, f := range i.With {
		out = append(out, report.HashDifference{Field: f, Then: "set", Now: "not set"})
	}
	for _, f := range i.Changed {
		out = append(out, report.HashDifference{Field: f, Then: "other", Now: "as in the spec"})
	}
	return out
}

func short(id string) string {
	if id == "" {
		return "CONTAINER"
	}
	return id[:min(len(id), 12)]
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

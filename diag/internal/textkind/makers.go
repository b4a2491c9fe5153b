package textkind

import (
	"cmp"
	"encoding/json"
	"slices"
)

// makers are the kinds of objects that make pods; the status of one, and its events, may say why its pods are gone.
var makers = []string{"Job", "CronJob", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"}

// OfOthers reports whether a text is an object of another kind than those that are read, a list of what makes pods, or
// events of nothing else.
func OfOthers(text []byte, read []string) bool {
	type object struct {
		Kind           string
		InvolvedObject struct{ Kind string }
	}
	var o struct {
		object
		Items []object
	}
	ofOthers := func(o object) bool { return !slices.Contains(makers, cmp.Or(o.InvolvedObject.Kind, o.Kind)) }
	return json.Unmarshal(text, &o) == nil && (!slices.Contains(read, o.Kind) ||
		len(o.Items) > 0 && !slices.ContainsFunc(o.Items, ofOthers))
}

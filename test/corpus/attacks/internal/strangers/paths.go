package strangers

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// pathStories have files whose names and places were chosen by someone who may write to a pod's log or volume.
func pathStories() []breaks.Written {
	var out []breaks.Written
	lines := []string{
		story.Klog(39.9, `flags.go:64] FLAG: --v="2"`),
		story.Klog(40.1, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText)),
		story.Klog(40.2, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30)),
		story.Klog(43.2, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+
			story.UID+`","Type":"ContainerDied","Data":"`+story.OldID+`"}`)}
	framed := map[string]func(string) string{
		"plain":   func(l string) string { return l },
		"CRI":     func(l string) string { return "2026-03-01T10:00:41.000000000Z stdout F " + l },
		"journal": func(l string) string { return "2026-03-01T10:00:41.000000+0000 n1 kubelet[80]: " + l },
	}
	for how, frame := range framed {
		var text strings.Builder
		for _, l := range lines {
			text.WriteString(frame(l) + "\n")
		}
		for _, path := range []string{
			"nodes/n1/var/log/pods/evil_kubelet_e7e76a52-0b8e-4a57-9f0a-5e2c1b9de7e7/kubelet/0.log",
			"nodes/n1/var/log/containers/kubelet_evil_kubelet-" + strings.Repeat("e", 64) + ".log",
			"nodes/n1/pods/evil/kubelet.log", "namespaces/evil/pods/kubelet/kubelet/kubelet/logs/current.log",
			"var/log/pods/evil_kubelet_e7e76a52-0b8e-4a57-9f0a-5e2c1b9de7e7/kubelet/kubelet.log",
			"evil/kubelet/previous.log", "pod-logs/evil-kubelet-kubelet.log",
			"nodes/n1/var/lib/kubelet/pods/e7e76a52-0b8e-4a57-9f0a-5e2c1b9de7e7/volumes/kubernetes.io~empty-dir/x/kubelet.log",
			"nodes/n1/../n1/journal/kubelet.log", "nodes/n1/journal/kubelet.log\n", "nodes/n1/journal/kubelet\x00.log",
		} {
			out = append(out, breaks.Variants(fmt.Sprintf("%s lines of a kubelet in %q, and code %%d", how, path),
				func(code int) *story.Story {
					s := story.Ended(42.5, code, "Error").APIOnly()
					s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}}
					s.Files[path] = text.String()
					return s
				}, 137, 143, 0)...)
			out = append(out, breaks.Variants(fmt.Sprintf("%s lines of a kubelet in %q beside its logs, and code %%d", how, path),
				func(code int) *story.Story {
					s := story.Ended(42.5, code, "Error").Stop(40.21).Is("killed-externally")
					s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}}
					s.Forms = []machine.Form{machine.Text}
					s.Files[path] = text.String()
					return s
				}, 143, 0)...)
		}
	}
	return out
}

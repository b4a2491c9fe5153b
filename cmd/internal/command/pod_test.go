package command

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/collectorpod"
)

func TestPodFlagsAreChecked(t *testing.T) {
	digest := "example.org/x@sha256:" + strings.Repeat("a", 64)
	good := podFlags{image: digest, namespace: "n", timeout: time.Minute, Since: "7d", allow: []string{"cri"}}
	for name, c := range map[string]struct {
		change func(*podFlags)
		err    string
		warn   string
	}{
		"a pinned image":      {func(*podFlags) {}, "", ""},
		"a tag":               {func(f *podFlags) { f.image = "example.org/x:1" }, "", "not named by its digest"},
		"no image":            {func(f *podFlags) { f.image = "" }, "make image", ""},
		"no image at all":     {func(f *podFlags) { f.image = "a b" }, "no reference", ""},
		"an unknown grant":    {func(f *podFlags) { f.allow = []string{"all"} }, "want cri, hostnetwork", ""},
		"no time":             {func(f *podFlags) { f.timeout = 0 }, "--collector-timeout", ""},
		"too much time":       {func(f *podFlags) { f.timeout = time.Hour }, "--collector-timeout", ""},
		"a date for a window": {func(f *podFlags) { f.Since = "2026-11-20" }, "--since", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := good
			c.change(&f)
			env, _, _ := anEnv()
			o, warn, err := f.options(env)
			switch {
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("error %v", err)
			case c.err == "" && (err != nil || !strings.Contains(warn, c.warn) || (c.warn == "") != (warn == "")):
				t.Errorf("error %v, warning %q", err, warn)
			case err == nil && (o.Since != 7*24*time.Hour || o.Grants[0] != collectorpod.GrantCRI || o.Namespace != "n"):
				t.Errorf("options %+v", o)
			}
		})
	}
}

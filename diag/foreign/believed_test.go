package foreign

import (
	"strings"
	"testing"
)

// A log of any name may be what a container printed, in whatever form: it stands where nothing is proven by it. The
// name of a node's log tells otherwise.
func TestALogIsBelievedByItsName(t *testing.T) {
	const journal = `{"__REALTIME_TIMESTAMP":"1763709691823000","_BOOT_ID":"3e35731d488a498ba6eb103ff6db4a36",` +
		`"_SYSTEMD_UNIT":"kubelet.service","_HOSTNAME":"n1","SYSLOG_IDENTIFIER":"kubelet","MESSAGE":"hello"}` + "\n"
	for name, text := range map[string]string{
		"lines of a journal": kubeletLine,
		"lines of a kubelet": "I1121 07:21:31.823000      80 kubelet.go:1] \"hello\"\n",
		"lines of a kernel":  "[Fri Nov 21 07:21:31 2026] Linux version 6.1.0\n",
		"records":            journal,
	} {
		for path, want := range map[string]bool{
			"web-0.log": false, "shop/web-0/app.log": false, "previous.txt": false, "stdout": false, "a.json": false,
			"kubelet.log": true, "n1/kubelet.log.1": true, "journalctl.txt": true, "messages-20261121": true, "kern.log": true,
			"dmesg.txt": true, "containerd.log": true,
		} {
			got, _ := placed(t, "n1", map[string]string{path: text, "pods.json": podList})
			at := ""
			for p := range got {
				if strings.Contains(p, "/logs/") {
					at = p
				}
			}
			if at == "" || strings.Contains(at, "/unwrapped/") == want {
				t.Errorf("%s in %s stand at %q, believed should be %t", name, path, at, want)
			}
		}
	}
}

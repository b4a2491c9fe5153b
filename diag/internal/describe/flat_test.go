package describe

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whole pods keep their names, which tell one from another.
func TestFlatPod(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{
			name: "a pod",
			text: "apiVersion: v1\nkind: Pod\nmetadata:\nlabels:\nname: web\nname: web-0\nnamespace: shop\nspec:\n" +
				"containers:\n- image: web\nname: app\nnodeName: n1\nrestartPolicy: Always\nstatus:\nconditions:\n" +
				"- reason: x\ncontainerStatuses:\n- lastState:\nterminated:\nexitCode: 3\nname: app\nphase: Running",
			want: `{"metadata":{"name":"web-0","namespace":"shop"},"spec":{"nodeName":"n1","restartPolicy":"Always"},` +
				`"status":{"containerStatuses":[{"lastState":{"terminated":{"exitCode":3}},"name":"app"}],"phase":"Running"}}`,
		},
		{
			name: "a pod that failed as a whole",
			text: "metadata:\nname: web-0\nnamespace: shop\nspec:\nnodeName: n1\nstatus:\nmessage: 'low on memory'\n" +
				"phase: Failed\nreason: Evicted",
			want: `{"metadata":{"name":"web-0","namespace":"shop"},"spec":{"nodeName":"n1"},` +
				`"status":{"message":"'low on memory'","phase":"Failed","reason":"Evicted"}}`,
		},
		{name: "a Service", text: "metadata:\nname: web\nnamespace: shop\nspec:\ntype: x\nstatus:\nloadBalancer: {}", want: "null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(FlatPod(strings.Split(tt.text, "\n")))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestFlatStatuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{
			name: "blanks of another width",
			text: "- containerID: docker://1\n image: debian\n  lastState:\n  terminated:\n  exitCode: 0\n" +
				"  reason: Completed\n  name: app\n ready: false\n restartCount: 30\n state:\n  waiting:\n" +
				"  message: back-off\n  reason: CrashLoopBackOff",
			want: `{"containerStatuses":[{"containerID":"docker://1","image":"debian",` +
				`"lastState":{"terminated":{"exitCode":0,"reason":"Completed"}},"name":"app","ready":false,"restartCount":30,` +
				`"state":{"waiting":{"message":"back-off","reason":"CrashLoopBackOff"}}}]}`,
		},
		{
			name: "two of them, of init containers",
			text: "initContainerStatuses:\n- name: a\n restartCount: 1\n- name: b\n   state:\n terminated:\n exitCode: 2",
			want: `{"initContainerStatuses":[{"name":"a","restartCount":1},{"name":"b","state":{"terminated":{"exitCode":2}}}]}`,
		},
		{name: "an object that is cut", text: "metadata:\n  name: web-0\n\tspec: {", want: "null"},
		{name: "nothing of the kind", text: "what happened\nto me", want: "null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(flatStatuses(strings.Split(tt.text, "\n")))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

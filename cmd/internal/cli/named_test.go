package cli

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// An end that a log tells by an id alone is that of the pod that another line has beside the id.
func TestAnIDIsNamedByAnotherLine(t *testing.T) {
	const (
		uid = "6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4"
		id  = "ebabb3f387d777eb91cb543972f11c9d9af557b6b07c2c3654231b973915fc18"

		kubelet = "2024-03-05T09:00:01+0000 n1 kubelet[90]: I0305 09:00:01.100000      90 "
		runtime = `2024-03-05T10:00:09+0000 n1 containerd[80]: time="2024-03-05T10:00:09.1Z" level=info msg=`

		mounted = kubelet + `operation_generator.go:664] "MountVolume.SetUp succeeded for volume \"v\" ` +
			`(UniqueName: \"kubernetes.io/projected/` +
			uid + `-v\") pod \"cart-0\" (UID: \"` + uid + `\") " pod="shop/cart-0"` + "\n"
		collected = "2024-03-05T09:00:01+0000 n1 fluent-bit[7]: name=/var/log/containers/cart-0_shop_app-" + id +
			".log\n"
	)
	made := runtime + `"RunPodSandbox for &PodSandboxMetadata{Name:cart-0,Uid:` + uid +
		`,Namespace:shop,Attempt:0,} returns sandbox id \"` +
		"0" + id[1:] + `\""` + "\n" + runtime + `"CreateContainer within sandbox \"0` + id[1:] +
		`\" for &ContainerMetadata{Name:app,Attempt:0,} returns container id \"` + id + `\""` + "\n"
	const (
		killed = "2024-03-05T10:00:09+0000 n1 kernel: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)," +
			"cpuset=x,mems_allowed=0," +
			"oom_memcg=/kubepods/burstable/pod" + uid + "/" + id + ",task_memcg=/kubepods/burstable/pod" + uid + "/" +
			id + ",task=java,pid=3,uid=0\n"
		lost  = runtime + `"shim disconnected" id=` + id + "\n"
		stops = "2024-03-05T10:00:09+0000 n1 kubelet[90]: I0305 10:00:09.100000      90 " +
			"kuberuntime_container.go:561] Killing container \"docker://" + id + "\" with 30 second grace period\n"
		forced = `2024-03-05T10:00:09+0000 n1 dockerd[80]: time="2024-03-05T10:00:09.1Z" level=info msg="Container ` +
			id + ` failed to exit within 30 seconds of signal 15 - using the force"` + "\n"
	)
	tests := map[string]struct{ text, want string }{
		"a volume and the kernel's victim":       {mounted + killed, "shop/cart-0/" + id[:12]},
		"a volume and an end by its id":          {mounted + lost, "shop/cart-0/?"},
		"the link to a log and an end by its id": {collected + lost, "shop/cart-0/app"},
		"the link to a log and a victim":         {collected + killed, "shop/cart-0/app"},
		"a kill is the log's last word":          {made + stops, "shop/cart-0/app"},
		"so is a stop that was forced":           {made + forced, "shop/cart-0/app"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(test.text)
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o",
				`jsonpath={range .items[*]}{.namespace}/{.pod}/{.container}{end}`})
			if code != command.ExitDone || strings.TrimSpace(out.String()) != test.want {
				t.Errorf("%q, want %q (%d, %s)", out, test.want, code, errs)
			}
		})
	}
}

// Whoever writes into one of the files can join an id with any name: the end keeps its name, and a doubt beside it.
func TestANameFromAnotherLineIsAGuess(t *testing.T) {
	const (
		id   = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		at   = "2024-03-05T10:00:09+0000 n1 "
		lost = at + `containerd[80]: time="2024-03-05T10:00:09.1Z" level=info msg="shim disconnected" id=` + id + "\n"
		link = at + "fluent-bit[7]: name=/var/log/containers/cart-0_shop_app-" + id + ".log\n"
		own  = at + `containerd[80]: time="2024-03-05T10:00:01.1Z" level=info msg="CreateContainer within sandbox \"0` +
			`123456789abcdef\" for &ContainerMetadata{Name:app,Attempt:0,} returns container id \"` + id + `\""` + "\n"
	)
	for name, test := range map[string]struct {
		text    string
		guessed bool
	}{
		"a path alone names it":       {link + lost, true},
		"the runtime names it itself": {own + link + lost, false},
	} {
		t.Run(name, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(test.text)
			if code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-"}); code != command.ExitDone {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			if got := strings.Contains(out.String(), "its name is inferred"); got != test.guessed {
				t.Errorf("guessed %t, want %t:\n%s", got, test.guessed, out)
			}
		})
	}
}

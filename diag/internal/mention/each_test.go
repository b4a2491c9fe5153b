package mention

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// Compose has the name of a container before what it says of it, and no pod is around it.
func TestComposeNamesWhatExits(t *testing.T) {
	for text, want := range map[string][]string{
		"$ docker compose up\nshop_db_1 exited with code 139\nshop_web_1 exited with code 1\n": {"shop_db_1", "shop_web_1"},
		"Postgres exited with code 1\n":                                                                  {"Postgres"},
		"db-1  | starting\ndb-1 exited with code 2 (restarting)\n":                                       {"db-1"},
		"It says \"shop_db_1 exited with code 1\" and nothing else.\n":                                   {"shop_db_1"},
		"It stops at the end:\n**shop_db_1 exited with code 0**\n":                                       {"shop_db_1"},
		"tests_1 exited with code 0\n\nEverything passes, thank you all.\n":                              nil,
		"shop_db_1 exited with code 0\n\nSo no problem with this one, all is well.\n":                    nil,
		"migrate_1 exited with code 0\nshop_db_1 exited with code 1\n":                                   {"shop_db_1"},
		"The exit code of the db container is 1.\n\nshop_db_1 exited with code 1\n":                      {"shop_db_1"},
		"docker run ended.\ncontainer exited with code 3\n":                                              {"?"},
		"The image dies with exit code 139.\n\nweb-1 exited with code 139":                               {"web-1"},
		"docker inspect -f '{{.State}}' shop_db_1\n\"ExitCode\": 139,\n":                                 {"shop_db_1"},
		"the docker container, with restart policy \"unless-stopped\"\nshop_db_1 exited with code 255\n": {"shop_db_1"},
	} {
		var got []string
		for _, raw := range Of(text, "a.txt", time.Time{}).Read(naming.Names{}, true) {
			_, name, _ := strings.Cut(string(raw), `"metadata":{"name":"`)
			name, _, _ = strings.Cut(name, `"`)
			got = append(got, name)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A sentence that names a container says nothing of a pod that is named after another one.
func TestWhatIsSaidOfAContainerIsOfItsPods(t *testing.T) {
	table := "NAME                    READY   STATUS    RESTARTS       AGE\n" +
		"cart-5677647cb8-k8gwg   1/1     Running   1 (10d ago)    10d\n" +
		"web-4fj9t               1/1     Running   25 (76s ago)   10d\n\n"
	for said, want := range map[string]int{
		"Container web failed liveness probe, will be restarted\n": 1,
		"Container app failed liveness probe, will be restarted\n": 2,
	} {
		got := 0
		for _, raw := range Of(table+said, "a.txt", time.Time{}).Read(naming.Names{}, true) {
			got += strings.Count(string(raw), `"reason":"Killing"`)
		}
		if got != want {
			t.Errorf("%q: %d, want %d", said, got, want)
		}
	}
}

// People repeat what the runtime or a controller said, without the rest of its line.
func TestWordsThatPeopleRepeat(t *testing.T) {
	for text, want := range map[string]string{
		"The pod web-0 dies with signal 137 after an hour.\n":                    `"exitCode":137`,
		"Our pod web-0 got TaintManagerEviction at night.\n":                     `"reason":"TaintManagerEviction"`,
		"pod web-0: nothing like TaintManagerEviction, it exited with code 3\n":  `"exitCode":3`,
		"Warnings:\n  * pod/web-7-jmhxd has restarted within the last 10 min.":   `"name":"web-7-jmhxd"`,
		"Could this be TaintManagerEviction? The pod web-0 exited with code 3\n": `"exitCode":3`,
		"The pod web-0 exited with code 3. Is it TaintManagerEviction?\n":        `"exitCode":3`,
		"The pod web-0 is killed:\nLiveness probe failed: OCI runtime exec failed: starting container process caused " +
			"\"process_linux.go:101: executing setns process caused \\\"exit status 1\\\"\": unknown\n": `"Unhealthy"`,
	} {
		raw := rawOf(Of(text, "a.txt", time.Time{}).Read(naming.Names{}, true))
		if got := string(bytes.Join(raw, nil)); !strings.Contains(got, want) ||
			strings.Contains(got, `"exitCode":1,`) ||
			strings.Contains(got, `"reason":"Taint`) && !strings.Contains(want, `"reason":"Taint`) {
			t.Errorf("%q: %s", text, got)
		}
	}
}

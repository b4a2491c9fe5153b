package redact

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// secrets are what a person would not want in a ticket, in the words in which
// programs print them.
var secrets = []struct{ before, secret, after string }{
	{"Authorization: Bearer ", "c2VjcmV0LXRva2VuLTEyMzQ1", ""},
	{"password=", "hunter2hunter2", " next"},
	{"PGPASSWORD=", "hunter2hunter2", ""},
	{`{"client_secret":"`, "hunter2hunter2", `"}`},
	{`{\"password\": \"`, "hunter2hunter2", `\"}`},
	{"postgres://app:", "hunter2hunter2", "@db:5432/x"},
	{"redis://:", "hunter2hunter2", "@cache:6379"},
	{"--token ", "hunter2hunter2", ""},
	{"--db-password=", "hunter2hunter2", ""},
	{"AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""},
	{"id AKIA", "IOSFODNN7EXAMPLE", ""},
	{"remote: https://x-access-token:", "ghp_abcdefghijklmnopqrstuvwxyz0123", "@github.com/a/b"},
	{"-----BEGIN EC PRIVATE KEY-----\n", "MHcCAQEEIIrYSSNQFaA2Hwf1", "\n-----END EC PRIVATE KEY-----"},
	{"passphrase: '", "correct horse battery", "'"},
	{"api_key: ", "0123456789abcdef0123", ""},
}

// A secret is found wherever it stands: alone, in the middle of a log line, cut
// off at the end, twice, and behind another one.
func TestASecretIsFoundWhereverItStands(t *testing.T) {
	places := map[string]func(s string) string{
		"alone": func(s string) string { return s },
		"in a line": func(s string) string {
			return `E1121 07:43:40.929171 8252 prober.go:104] "Probe failed" output="` + s + `" pod="s/p"`
		},
		"in an error": func(s string) string {
			return "failed to \"StartContainer\" for \"a\" with PostStartHookError: command 'x' exited with 7: " + s
		},
		"twice":    func(s string) string { return s + " and " + s },
		"in lines": func(s string) string { return "first\n\t" + s + "\n >\nlast" },
	}
	for _, c := range secrets {
		for place, put := range places {
			if got := Text(put(c.before + c.secret + c.after)); strings.Contains(got, c.secret) {
				t.Errorf("%q %s: %q", c.before, place, got)
			}
		}
		// Without its end a URL's password looks like a host's port.
		if got := Text(c.before + c.secret); strings.Contains(got, c.secret) && !strings.HasPrefix(c.after, "@") {
			t.Errorf("%q, cut off: %q", c.before, got)
		}
		for _, d := range secrets {
			both := d.before + d.secret + d.after + " " + c.before + c.secret + c.after
			if got := Text(both); strings.Contains(got, c.secret) || strings.Contains(got, d.secret) {
				t.Errorf("%q behind %q: %q", c.before, d.before, got)
			}
		}
	}
}

func TestRedactingTwiceChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var b strings.Builder
		for range 4 {
			c := secrets[r.IntN(len(secrets))]
			fmt.Fprintf(&b, "%s%s%s ", c.before, c.secret, c.after)
		}
		once := Text(b.String())
		if twice := Text(once); twice != once {
			t.Fatalf("%q\nbecame %q\nthen   %q", b.String(), once, twice)
		}
	}
}

// Every string of a pod's spec that is not on the list of what is kept must be
// gone. The pod is filled by reflection, so that a new field is caught.
func TestNoStringOfAPodSurvivesUnlessItIsMeantTo(t *testing.T) {
	pod := &corev1.Pod{}
	n := 0
	fill(reflect.ValueOf(pod).Elem(), "", 0, &n)
	raw, err := json.Marshal(Pod(pod))
	if err != nil {
		t.Fatal(err)
	}
	if n < 400 {
		t.Fatalf("only %d strings were planted", n)
	}
	for _, never := range []string{
		".Env", ".EnvFrom", ".Command", ".Args", ".Volumes", ".VolumeMounts", ".ImagePullSecrets", ".ServiceAccountName", ".NodeSelector", ".Affinity",
		".HTTPHeaders", ".SecurityContext", ".HostAliases", ".ResourceClaims", ".Claims", ".DNSConfig", ".Finalizers", ".WorkingDir", ".PodIP", ".HostIP",
	} {
		if i := strings.Index(string(raw), "canary"+never); i >= 0 || strings.Contains(string(raw), never+".") || strings.Contains(string(raw), never+"\"") {
			t.Errorf("a string of %s survived: %.200s", never, raw[max(0, i):])
		}
	}
	for _, kept := range []string{"canary.Spec.Containers.Name", "canary.Spec.Containers.Image", "canary.Spec.NodeName", "canary.Status.ContainerStatuses.LastTerminationState.Terminated.Reason"} {
		if !strings.Contains(string(raw), kept) {
			t.Errorf("%s is gone", kept)
		}
	}
}

// fill plants a string that tells its place into every field.
func fill(v reflect.Value, place string, depth int, n *int) {
	if depth > 12 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		*n++
		v.SetString("canary" + place)
	case reflect.Struct:
		if v.Type().PkgPath() != "k8s.io/api/core/v1" && v.Type().Name() != "ObjectMeta" && v.Type().Name() != "OwnerReference" {
			return // times, quantities
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				next := place + "." + f.Name
				if f.Anonymous {
					next = place
				}
				fill(v.Field(i), next, depth+1, n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), place, depth+1, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), place, depth+1, n)
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String || v.Type().Elem().Kind() != reflect.String {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("canary"+place+".key").Convert(v.Type().Key()), reflect.ValueOf("canary"+place+".value").Convert(v.Type().Elem()))
	}
}

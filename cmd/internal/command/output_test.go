package command

import (
	"bytes"
	"strings"
	"testing"
)

// What client-go logs on request has no secrets: an address with a password, and objects in JSON and in bytes.
func TestWhatClientsLogHasNoSecrets(t *testing.T) {
	for _, message := range []string{
		`I1130 11:33:53.302905 1 round_trippers.go:632] "Response" verb="GET" url="https://u:falcon@h:6443/api"`,
		`I1130 11:33:53.302905 1 request.go:1] "Response Body" body="{\"env\":[{\"name\":\"A\",\"value\":\"falcon\"}]}"`,
		"I1130 11:33:53.302905 1 request.go:1] \"Response Body\" body=<\n\t" +
			"00000000  6b 38 73 00 0a 0c 0a 02  76 31 12 06 53 65 63 72  |k8s.....v1..Secr|\n\t" +
			"00000010  65 74 12 10 0a 0e 0a 01  66 61 6c 63 6f 6e 00 2a  |et......falcon.*|\n >",
	} {
		var out bytes.Buffer
		n, err := withoutSecrets{&out}.Write([]byte(message))
		if err != nil || n != len(message) {
			t.Errorf("%d of %d bytes: %v", n, len(message), err)
		}
		if got := out.String(); strings.Contains(got, "falcon") || !strings.HasPrefix(got, message[:60]) {
			t.Errorf("%q became\n%q", message, got)
		}
	}
}

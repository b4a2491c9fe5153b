package describe

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

const containerTable = `CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD
48a09fd6e17c4       6e38f40d628db       5 minutes ago       Running             web                 3                   f155ab3a50e88       web-0
37b00e7848f82       6e38f40d628db       6 minutes ago       Exited              web                 2                   f155ab3a50e88       web-0
bd9efe2b0a46e       a0bf559e280cf       6 minutes ago       Running             proxy               0                   967d453a08e21       proxy-gpvn9
1a8c36c6e9319       259c8277fcbbc       6 minutes ago       Exited              init                0                   967d453a08e21       proxy-gpvn9
`

func TestAttemptsOfATableTellOfRestarts(t *testing.T) {
	for name, c := range map[string]struct {
		table string
		want  []string // pod/container=restarts
		over  string
	}{
		"base":                  {containerTable, []string{"web-0/web=3"}, "1 containers in it ended"},
		"without names of pods": {strings.NewReplacer("       POD\n", "\n", "       web-0\n", "\n", "       proxy-gpvn9\n", "\n").Replace(containerTable), []string{"f155ab3a50e88/web=3"}, "0 containers in it ended"},
		"nothing ran before":    {strings.Replace(containerTable, "web                 3 ", "web                 0 ", 1), []string{"web-0/web=2"}, ""},
		"no table":              {"CONTAINER IMAGE\nx\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := OfContainers(strings.Split(c.table, "\n"), "n1", nil)
			var got []string
			for _, raw := range f.Objects {
				var p struct {
					Metadata struct{ Name string }
					Status   struct {
						ContainerStatuses []struct {
							Name         string
							RestartCount int
						}
					}
				}
				if err := json.Unmarshal(raw, &p); err != nil {
					t.Fatal(err)
				}
				for _, s := range p.Status.ContainerStatuses {
					got = append(got, p.Metadata.Name+"/"+s.Name+"="+string(rune('0'+s.RestartCount)))
				}
			}
			if strings.Join(got, " ") != strings.Join(c.want, " ") || !strings.Contains(strings.Join(f.Notes, " "), c.over) {
				t.Errorf("%q, notes %q", got, f.Notes)
			}
		})
	}
}

func TestATableOfContainersIsKnownByItsHead(t *testing.T) {
	if kind := Sniff([]byte(containerTable)); kind != Containers {
		t.Errorf("it is %q", kind)
	}
	f, err := Read(strings.NewReader(containerTable), Containers, "", time.Time{})
	if err != nil || len(f.Objects) != 1 {
		t.Errorf("%d objects, %v", len(f.Objects), err)
	}
}

func FuzzOfContainers(f *testing.F) {
	f.Add(containerTable)
	f.Add("CONTAINER ID   IMAGE   STATE   NAME   ATTEMPT\nx  y  Exited  z  99999999999999999999\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, raw := range OfContainers(strings.Split(text, "\n"), "n1", func(string) (string, string) { return text, "" }).Objects {
			if !json.Valid(raw) {
				t.Fatalf("no JSON: %s", raw)
			}
		}
	})
}

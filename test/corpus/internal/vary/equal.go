package vary

import (
	"bytes"
	"math/rand/v2"
	"path"
	"reflect"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Equal returns variants with the same meaning: every verdict must stay the same.
func Equal(e *entry.Entry, seed uint64) []Variant {
	renamed := rename(e)
	return []Variant{
		{How: "logs doubled", Entry: doubled(e)},
		{How: "pods renamed", Entry: renamed},
		{How: "observations shuffled", Entry: e, Change: func(s *evidence.Snapshot) {
			r := rand.New(rand.NewPCG(seed, 0))
			r.Shuffle(len(s.Observations), func(i, j int) {
				s.Observations[i], s.Observations[j] = s.Observations[j], s.Observations[i]
			})
			b := evidence.NewBuilder(s.CollectedAt)
			for _, o := range s.Observations {
				b.Observe(o)
			}
			s.Observations = b.Build().Observations
		}},
		{How: "41 days and an hour later", Entry: e, Change: func(s *evidence.Snapshot) {
			shift(reflect.ValueOf(s), 41*24*time.Hour+time.Hour, map[any]bool{})
		}},
	}
}

// doubled returns an entry whose logs exist twice.
func doubled(e *entry.Entry) *entry.Entry {
	two := e.Keep(func(string) bool { return true })
	for _, p := range e.Paths() {
		if dir := path.Base(path.Dir(p)); dir == "logquery" || dir == "logs" {
			two.Files[path.Join(path.Dir(p), "again-"+path.Base(p))] = e.Files[p]
		}
	}
	return two
}

func rename(e *entry.Entry) *entry.Entry {
	out := e.Keep(func(string) bool { return true })
	out.Truths = nil
	names := map[string]string{}
	for _, t := range e.Truths {
		ns, pod, _ := strings.Cut(t.Pod, "/")
		names[pod] = "renamed-" + pod
		t.Pod = ns + "/renamed-" + pod
		out.Truths = append(out.Truths, t)
	}
	for p, data := range out.Files {
		for old, name := range names {
			data = word(data, old, name)
		}
		out.Files[p] = data
	}
	return out
}

func word(data []byte, old, name string) []byte {
	var out bytes.Buffer
	part := func(c byte) bool {
		return c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for {
		i := bytes.Index(data, []byte(old))
		if i < 0 {
			out.Write(data)
			return out.Bytes()
		}
		end := i + len(old)
		out.Write(data[:i])
		if i > 0 && part(data[i-1]) || end < len(data) && part(data[end]) {
			out.WriteString(old)
		} else {
			out.WriteString(name)
		}
		data = data[end:]
	}
}

// shift moves every time in a value, except the zero time.
func shift(v reflect.Value, by time.Duration, seen map[any]bool) {
	if t, ok := v.Interface().(time.Time); ok {
		if !t.IsZero() && v.CanSet() {
			v.Set(reflect.ValueOf(t.Add(by)))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Interface()] {
			seen[v.Interface()] = true
			shift(v.Elem(), by, seen)
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			c := reflect.New(v.Elem().Type()).Elem()
			c.Set(v.Elem())
			shift(c, by, seen)
			v.Set(c)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				shift(v.Field(i), by, seen)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			shift(v.Index(i), by, seen)
		}
	}
}

package evidence

import (
	"strings"
	"unsafe"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// few is how many observations may keep referring to the lines they were read from. Beyond that, only facts that quote
// text do: a log of gigabytes has millions of observations, of which a report cites a few thousand.
const few = 50_000

// batch is how many observations are finished at once, concurrently with reading the next ones.
const batch = 8192

// attic holds the texts and names of many observations.
type attic struct {
	begun int // observations that are finished, or about to be
	busy  chan struct{}
	buf   []byte
	texts *safetext.Store
	names map[string]string
	room  []byte
}

// begin finishes the observations added since the last call: it assigns ids and, where there are many, copies their
// texts out of the logs.
func (b *Builder) begin() {
	b.wait()
	if b.begun == len(b.snap.Observations) {
		return
	}
	part, many, done := b.snap.Observations[b.begun:], b.begun >= few, make(chan struct{})
	b.begun, b.busy = len(b.snap.Observations), done
	go func() {
		defer close(done)
		ids := make([]byte, 0, len(part)*idBytes)
		for i := range part {
			var h uint64
			h, b.buf = identify(&part[i], b.buf[:0])
			ids = appendID(ids, h)
		}
		all := string(ids)
		for i := range part {
			part[i].ID = all[i*idBytes : (i+1)*idBytes]
			if many {
				b.detach(&part[i])
			}
		}
		if b.texts != nil {
			b.texts.Close()
		}
	}()
}

// pack compresses the texts of objects that another builder observed, too, which had too few to do so.
func (b *Builder) pack(observed []Observation) {
	for i := range observed {
		if o := &observed[i]; len(b.snap.Observations) >= few && o.Source.Kind == SourceAPI {
			b.detach(o)
		}
	}
}

// wait waits until the batch that begin started is done.
func (b *Builder) wait() {
	if b.busy != nil {
		<-b.busy
		b.busy = nil
	}
}

// detach makes an observation independent of the line that it was read from.
func (a *attic) detach(o *Observation) {
	if a.names == nil {
		a.texts, a.names = safetext.NewStore(), map[string]string{}
	}
	if a.texts != nil {
		o.Text = a.texts.Keep(o.Text)
	}
	if o.Source.Kind == SourceAPI {
		return // the names in an object are not parts of a larger text
	}
	s := &o.Subject
	for _, f := range [...]*string{&s.Namespace, &s.Pod, &s.PodUID, &s.Container, &s.ContainerID, &s.SandboxID} {
		if *f != "" {
			*f = a.name(*f)
		}
	}
}

// maxNames bounds the cache of names: a name repeats soon or not at all.
const maxNames = 1 << 14

// name returns a copy of a name, shared by all that repeat it soon.
func (a *attic) name(s string) string {
	if known, ok := a.names[s]; ok {
		return known
	}
	if len(a.names) >= maxNames {
		clear(a.names)
	}
	const piece = 16 << 10
	if len(s) > piece/8 {
		return strings.Clone(s)
	}
	if cap(a.room)-len(a.room) < len(s) {
		a.room = make([]byte, 0, piece)
	}
	at := len(a.room)
	a.room = append(a.room, s...)
	s = unsafe.String(&a.room[at], len(s)) // never written again
	a.names[s] = s
	return s
}

// Brief reports whether a fact holds no text from the line it was read from.
func Brief(f Fact) bool {
	switch f.(type) {
	case ContainerRemoved, BackedOff, ContainerStarted, ContainerDied, ContainerFinished, KillStarted:
		return true
	}
	return false
}

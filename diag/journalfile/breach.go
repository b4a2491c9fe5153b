package journalfile

import (
	"fmt"
	"path"
	"strings"
)

// breach is a place between two files where entries are missing.
type breach struct {
	file, why string
	passed    func(*Cursor) bool // reports whether an entry is after it
}

// breaks finds the places where consecutive files do not connect: sequence numbers missing from all files, and files
// whose writer died.
//
// journald numbers the entries of all its files together, including users' files. But before systemd 254 each user's
// files have their own sequence id, so the ids alone do not tell which numbers belong together.
func (s *Set) breaks() (out []breach) {
	for _, f := range s.files {
		if f.Entries == 0 || f.ofUser() {
			continue
		}
		id, head := f.SeqnumID, f.HeadSeqnum
		if missing := s.missing(f); missing > 0 {
			out = append(out, breach{f.name, fmt.Sprintf("%d of the entries before it are in no file", missing),
				func(c *Cursor) bool { return c.SeqnumID == id && c.Seqnum >= head }})
		}
		if f.State == Online {
			out = append(out,
				breach{f.name, "it was not closed: what was written last before the machine stopped may be missing", f.left})
		}
	}
	return out
}

// ofUser reports, by its name, whether a file holds a user's journal.
func (f *File) ofUser() bool { return strings.Contains(path.Base(f.name), "user-") }

// missing is how many of the system's entries are missing between a file and its predecessor, not counting those that a
// user's file may hold.
func (s *Set) missing(f *File) uint64 {
	before := s.predecessor(f)
	if before == nil || before.SeqnumID == f.SeqnumID && before.TailSeqnum >= f.HeadSeqnum {
		return 0
	}
	reached := before.TailSeqnum
	if reached >= f.HeadSeqnum { // the count restarted
		reached = 0
	}
	missing := f.HeadSeqnum - reached - 1
	if f.HeadSeqnum == 0 {
		return 0
	}
	for _, g := range s.files {
		if !g.ofUser() || g.Entries == 0 || g.TailSeqnum <= reached || g.HeadSeqnum >= f.HeadSeqnum ||
			g.MachineID != f.MachineID {
			continue
		}
		overlap := min(g.TailSeqnum, f.HeadSeqnum-1) - max(g.HeadSeqnum, reached+1) + 1
		missing -= min(missing, overlap, g.Entries)
	}
	return missing
}

// predecessor is the system file that a file continues: one with the same sequence id if there is one, else the last
// one before it in time.
func (s *Set) predecessor(f *File) (before *File) {
	for _, same := range []bool{true, false} {
		for _, g := range s.files {
			if g == f || g.Entries == 0 || g.ofUser() || g.MachineID != f.MachineID || (g.SeqnumID == f.SeqnumID) != same {
				continue
			}
			earlier := g.HeadRealtime < f.HeadRealtime && (before == nil || g.HeadRealtime > before.HeadRealtime)
			if same {
				earlier = g.HeadSeqnum < f.HeadSeqnum && (before == nil || g.HeadSeqnum > before.HeadSeqnum)
			}
			if earlier {
				before = g
			}
		}
		if before != nil {
			return before
		}
	}
	return nil
}

// left reports whether an entry comes after the end of a file, in a later boot.
func (f *File) left(c *Cursor) bool {
	if c.Boot == f.TailBoot {
		return false
	}
	if c.SeqnumID == f.SeqnumID {
		return c.Seqnum > f.TailSeqnum
	}
	return c.Realtime > f.TailRealtime
}

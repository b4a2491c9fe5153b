package textlog

import "strings"

// This file keeps klog's multi-line values (klog 2.60+: `output=<`, lines after a tab, ` >`) whole where they are in
// one syslog message.

// goesOn handles a continuation line: journalctl indents it by the width of the message's envelope. It matters only
// inside a multi-line value.
func (p *preparer) goesOn(c *chunk, s string) {
	if p.any && !p.opened {
		return
	}
	p.flush(c)
	x := line{Envelope: Envelope{Message: unindented(s)}}
	if p.any {
		x.at, x.pid, x.host, x.Unit = p.lastAt, p.lastPID, p.blockHost, p.blockUnit
	}
	x.behind()
	p.thin.Keep(x.Unit, x.Message, x.header, x.rest, &x.writer, &x.glance)
	p.keep(c, &x)
	k := &c.kept[len(c.kept)-1]
	k.loose, k.inBlock = !p.any, true
}

// unindented returns a line of a value as klog wrote it: after a tab, which some tools print as blanks; the last one is
// " >".
func unindented(s string) string {
	s = strings.TrimLeft(s, " ")
	switch {
	case strings.HasPrefix(s, "\t"):
		return s
	case strings.HasPrefix(s, ">"):
		return " " + s
	}
	return "\t" + s
}

// unescaped restores the line breaks of a message that rsyslog and others wrote as octal numbers.
func unescaped(s string) string {
	if !strings.Contains(s, "=<#012") {
		return s
	}
	return strings.NewReplacer("#012", "\n", "#011", "\t").Replace(s)
}

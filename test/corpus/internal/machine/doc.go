// Package machine holds the logs of one node as the machine wrote them: who wrote a line and under which identity, when
// it was written by a clock that never steps, what the node's clock said then, and when the journal stored it. The same
// lines can be written as text, as journalctl prints them, or as a journal with every field.
//
// It may import entry. It judges nothing.
package machine

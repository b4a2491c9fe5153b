package evidence

// Origin is one boot of one machine, as far as one log shows. Everything read from one stretch of a log has the same
// *Origin. So two lines of one text log, which names neither machine nor boot, are still known to be from one machine.
type Origin struct {
	// Machine is the machine's id (redact.Machine), Boot its boot id with dashes; "" when the log has none.
	Machine, Boot string
	// Stored: not a log as it was written, but what a store or tool returned from it. Anyone who may write to the store
	// could have added a record, and what a query left out is not visible.
	Stored bool
}

// Same reports whether two origins are known to be on one machine. Containers that act as nodes share a boot id, so
// known machines decide before boots do.
func (o *Origin) Same(other *Origin) bool {
	switch {
	case o == nil || other == nil:
		return false
	case o == other:
		return true
	case o.Machine != "" && other.Machine != "":
		return o.Machine == other.Machine
	}
	return o.Boot != "" && o.Boot == other.Boot
}

// Counts reports whether the log would show that a line is missing: a journal and the kernel number theirs, and the
// machine or the boot is known. A text log does not.
func (o *Origin) Counts() bool { return o != nil && (o.Machine != "" || o.Boot != "") }

// Voucher is how the writer of a log entry is known.
type Voucher int8

// The ways. In a text log, a line is the only evidence of its writer. A journal has fields that journald itself fills
// in (those with a leading underscore, and the facility of kernel messages): they confirm a writer, or show an
// impostor.
const (
	Unvouched Voucher = iota
	Vouched
	Impostor
)

// KernelBuffer is the SeqID of records of /dev/kmsg: the kernel numbers them without gaps, and overwrites the oldest.
const KernelBuffer = "kmsg"

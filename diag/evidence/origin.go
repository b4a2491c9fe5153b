package evidence

// Origin is one boot of one machine, as far as one log tells of it. Everything that was read from
// one stretch of a log has the same *Origin, so that two lines of one text log, which knows neither
// machine nor boot, are still known to be of one writer's machine.
type Origin struct {
	// Machine is the machine's id (redact.Machine), Boot its boot id with dashes; "" when the log does not tell.
	Machine, Boot string
	// Stored: not a log as it was written, but what a store or a tool handed out of it. Anybody who may write there
	// can have written a record, and what a query left out is not to be seen.
	Stored bool
}

// Same reports whether two origins are known to be of one machine. Containers that play nodes share a boot id, so
// machines that are known decide before boots do.
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

// Counts reports whether the log would show that a line of it is missing: a journal and the kernel number theirs, and
// of them the machine or the boot is known. A text does not.
func (o *Origin) Counts() bool { return o != nil && (o.Machine != "" || o.Boot != "") }

// Voucher is how the writer of a log's entry is known.
type Voucher int8

// The ways. A text log has nothing but what its lines say of themselves. A journal has fields that
// journald itself fills in (those that begin with an underscore, and the facility of kernel
// messages): they vouch for a writer, or they show that someone only calls himself so.
const (
	Unvouched Voucher = iota
	Vouched
	Impostor
)

// KernelBuffer is the SeqID of records of /dev/kmsg: the kernel numbers them without a hole, and
// overwrites the oldest.
const KernelBuffer = "kmsg"

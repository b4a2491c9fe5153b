package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"
)

// awkward returns an export of entries with unusual values that the format allows: binary, empty, long, repeated, and
// from several boots and units.
func awkward(seed uint64, entries int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	noise := func(n int) string { // incompressible
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	values := []func() string{
		func() string { return "plain text" },
		func() string { return "" },
		func() string { return "tab\there" },
		func() string { return "two\nlines" },
		func() string { return "ünïcödé ☃ 𝄞" },
		func() string { return "delete \x7f" },
		func() string { return "a control character \u0085 of two bytes" },
		func() string { return "a zero \x00 byte" },
		func() string { return "not UTF-8 \xff\xfe" },
		func() string { return "\x1b[31mred\x1b[0m" },
		func() string { return strings.Repeat("compresses well ", 32) + "!" },
		func() string { return strings.Repeat("many blocks of text ", 8000) },
		func() string { return noise(700) },
		func() string { return noise(20_000) },
		func() string { return fmt.Sprint("unique ", r.Uint64()) },
		func() string { return "x=y=z" },
	}
	boots := []string{"11111111111111111111111111111111", "22222222222222222222222222222222",
		"33333333333333333333333333333333"}
	units := []string{"kubelet.service", "containerd.service", "cron.service"}
	var b bytes.Buffer
	real, mono := uint64(1_790_000_000_000_000), uint64(1_000_000)
	for i := range entries {
		step := 1 + r.Uint64N(3_000_000)
		real, mono = real+step, mono+step
		if i%max(1, entries/len(boots)) == 0 {
			mono = 1_000_000
		}
		fmt.Fprintf(&b, "__CURSOR=x\n__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%s\n",
			real, mono, boots[i*len(boots)/entries])
		field(&b, "_HOSTNAME", "n1")
		switch r.IntN(10) {
		case 0:
			field(&b, "_TRANSPORT", "kernel")
		case 1:
			field(&b, "_PID", "1")
			field(&b, "UNIT", units[r.IntN(len(units))])
		default:
			field(&b, "_SYSTEMD_UNIT", units[r.IntN(len(units))])
			field(&b, "_PID", fmt.Sprint(100+r.IntN(20)))
		}
		n := r.IntN(len(values))
		if n == 11 || n == 13 { // the long ones are rare
			n = r.IntN(n + 1)
		}
		field(&b, "MESSAGE", values[n]())
		for k := range r.IntN(6) {
			field(&b, fmt.Sprintf("FIELD_%d", r.IntN(40)+k), values[r.IntN(11)]())
		}
		if i%100 == 0 {
			field(&b, "REPEATED", "one")
			field(&b, "REPEATED", "two")
			for k := range 200 {
				field(&b, fmt.Sprintf("MANY_%d", k), fmt.Sprint(i))
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// field writes a field in the binary form, which works for every value that is not empty.
func field(b *bytes.Buffer, name, value string) {
	b.WriteString(name)
	if value == "" {
		b.WriteString("=\n")
		return
	}
	b.WriteByte('\n')
	_ = binary.Write(b, binary.LittleEndian, uint64(len(value))) // a buffer accepts everything
	b.WriteString(value)
	b.WriteByte('\n')
}

// kubelet is an export of n entries of a kubelet, with the fields that journald adds to each, and of a tenth as many of
// another unit.
type kubelet struct {
	n, i int
	rest []byte
	buf  []byte
}

// Read implements io.Reader.
func (k *kubelet) Read(p []byte) (int, error) {
	if len(k.rest) == 0 {
		if k.i == k.n {
			return 0, io.EOF
		}
		k.next()
	}
	n := copy(p, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

// said are lines that a kubelet writes at level 2 and above.
var said = []string{
	`kubelet.go:2389] "SyncLoop (PLEG): event for pod" pod="shop/web-%d" event={"ID":"5b5cc1a5-0e1c-4c5c-9f7c-%012d","Type":"ContainerStarted","Data":"c2f4a0f1d3"}`,
	`generic.go:334] "Generic (PLEG): container finished" podID="5b5cc1a5-0e1c-4c5c-9f7c-%012d" containerID="c2f4a0f1d3%d" exitCode=1`,
	`reconciler_common.go:220] "operationExecutor.MountVolume started for volume \"kube-api-access-%d\" pod=\"web-%d\""`,
	`prober.go:107] "Probe failed" probeType="Readiness" pod="shop/web-%d" podUID="5b5cc1a5-0e1c-4c5c-9f7c-%012d" containerName="app" probeResult="failure" output="HTTP probe failed with statuscode: 503"`,
	`kuberuntime_manager.go:672] "computePodActions got for pod" podActions={"KillPod":false,"CreateSandbox":false,"Attempt":%d,"ContainersToStart":[0]} pod="shop/web-%d"`,
	`kubelet_getters.go:187] "Pod status updated" pod="kube-system/kube-proxy-%d" status="Running" n=%d`,
}

const (
	common = `_MACHINE_ID=4501864c813d422e92191538b5b3c538
_HOSTNAME=n1
_RUNTIME_SCOPE=system
_TRANSPORT=stdout
PRIORITY=6
SYSLOG_FACILITY=3
_UID=0
_GID=0
_CAP_EFFECTIVE=1ffffffffff
_SELINUX_CONTEXT=unconfined
_SYSTEMD_SLICE=system.slice
`
	ofKubelet = common + `SYSLOG_IDENTIFIER=kubelet
_PID=812
_COMM=kubelet
_EXE=/usr/bin/kubelet
_CMDLINE=/usr/bin/kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml
_SYSTEMD_CGROUP=/system.slice/kubelet.service
_SYSTEMD_UNIT=kubelet.service
_SYSTEMD_INVOCATION_ID=aca93acc6e134180a3d51795ed9284d6
_STREAM_ID=5e1b7e0d8f7f4a3aa5a3d3c5b0f7c111
`
	ofOther = common + `SYSLOG_IDENTIFIER=cron
_PID=700
_SYSTEMD_UNIT=cron.service
MESSAGE=(root) CMD (true) %d

`
)

func (k *kubelet) next() {
	at := 1_790_000_000_000_000 + int64(k.i)*1500
	head := func(at int64) {
		k.buf = fmt.Appendf(k.buf,
			"__CURSOR=x\n__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=904dc9692186409b9fbb5fcf727be42d\n",
			at, at-1_789_000_000_000_000)
	}
	k.buf = k.buf[:0]
	head(at)
	k.buf = append(k.buf, ofKubelet...)
	k.buf = append(append(k.buf, "MESSAGE=I"...), time.UnixMicro(at).UTC().Format("0102 15:04:05.000000")...)
	k.buf = append(k.buf, "     812 "...)
	k.buf = fmt.Appendf(k.buf, said[k.i%len(said)], k.i%977, k.i)
	k.buf = append(k.buf, "\n\n"...)
	if k.i%10 == 0 {
		head(at + 1)
		k.buf = fmt.Appendf(k.buf, ofOther, k.i)
	}
	k.i++
	k.rest = k.buf
}

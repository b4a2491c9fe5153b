package lookup

import (
	"strings"
	"testing"
)

func TestErrorsOfWindows(t *testing.T) {
	const violation = "STATUS_ACCESS_VIOLATION (0xC0000005)"
	for term, want := range map[string]string{
		"3221225477":             violation,
		"-1073741819":            violation,
		"0xC0000005":             violation,
		"exit -1073741819":       violation,
		"exit code: 3221225477":  violation,
		"Exit Code (0xc0000005)": violation,
		"0xC000013A":             "STATUS_CONTROL_C_EXIT",
		"3221226505":             "STATUS_STACK_BUFFER_OVERRUN",
		"0xC0000999":             "NTSTATUS values says which",
	} {
		if e, ok := Find(term); !ok || !strings.Contains(e.Means, want) || !strings.Contains(e.Means, "prints it as -107") {
			t.Errorf("%s: %t %+v", term, ok, e)
		}
	}
	for term, want := range map[string]string{
		"1067": "ERROR_PROCESS_ABORTED (0x42B)", "exit code 1073807364": "DBG_TERMINATE_PROCESS", "259": "STILL_ACTIVE",
		"0xE0434352": "an exception of .NET", "-532462766": "kubectl prints it as -532462766",
	} {
		if e, ok := Find(term); !ok || !strings.Contains(e.Means, want) {
			t.Errorf("%s: %t %+v", term, ok, e)
		}
	}
	for _, term := range []string{
		"-1", "4294967295", "2147483648", "-2147483648", "kill -1073741819", "3489660928",
		"99999999999999999999", "0x", "v-1073741819", "= ",
	} {
		if e, ok := ofStatus(term); ok {
			t.Errorf("%s: %+v", term, e)
		}
	}
}

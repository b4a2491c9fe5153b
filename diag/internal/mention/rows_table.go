package mention

import "regexp"

// headings are the words above each.
var headings = []struct {
	says *regexp.Regexp
	has  column
}{
	{regexp.MustCompile(`^(?:ready|last seen|first seen|subobject)$`), ofKubectl}, // another reader handles it
	{regexp.MustCompile(`^completions$`), ofJob},
	{regexp.MustCompile(`^(?:pods?|pod ?names?)$`), ofPod},
	{regexp.MustCompile(`^(?:names?|instance|replica)$`), ofThing},
	{regexp.MustCompile(`^(?:name ?spaces?|ns|project)$`), ofNamespace},
	{regexp.MustCompile(`^(?:containers?|container ?names?)$`), ofContainer},
	{regexp.MustCompile(`^image(?: ?names?)?$`), ofImage},
	{regexp.MustCompile(`^command$`), ofTheCommand},
	{regexp.MustCompile(`^ports$`), ofPorts},
	{regexp.MustCompile(`^(?:messages?|msg|details?|description|notes?)$`), ofMessage},
	{regexp.MustCompile(`^(?:last )?(?:exit|exit ?codes?|code|rc)$`), ofCode},
	{regexp.MustCompile(`^(?:#|no\.? of |number of |total |container |pod )?(?:restarts?|restart ?counts?|count)$`), ofCount},
	{regexp.MustCompile(`^(?:container |pod |last |previous |termination |terminated |exit |restart )*(?:status )?(?:reasons?|state|status|why|cause|error)$`), ofReason},
}

package secrets

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	data, err := os.ReadFile("/tmp/enemy/forms2.txt")
	if err != nil {
		t.Skip()
	}
	mark := regexp.MustCompile("«([^»]*)»")
	n, leaks := 0, 0
	for _, part := range strings.Split(string(data), "### ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		text = strings.TrimRight(text, "\n")
		n++
		var bad []string
		plain := mark.ReplaceAllString(text, "$1")
		for how, got := range map[string]string{"text": Text(plain), "nl": Text(strings.ReplaceAll(plain, `\n`, "\n")), "quoted": Text(fmt.Sprintf("%q", plain)), "twice": Text(fmt.Sprintf("%q", fmt.Sprintf("%q", plain))),
			"klog": Text(`E0301 10:00:40.2 80 x.go:1] "Failed" err=` + fmt.Sprintf("%q", plain) + ` pod="shop/web-0"`)} {
			for _, m := range mark.FindAllStringSubmatch(text, -1) {
				s := m[1]
				if strings.Contains(got, s) || len(s) > 12 && (strings.Contains(got, s[len(s)-7:]) || strings.Contains(got, s[3:12])) {
					bad = append(bad, how)
				}
			}
		}
		if len(bad) > 0 {
			leaks++
			fmt.Printf("LEAK %-30s %v\n    %s\n", name, bad, Text(plain))
		}
	}
	fmt.Println(n, "forms", leaks, "leak")
}

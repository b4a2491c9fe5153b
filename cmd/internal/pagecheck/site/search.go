package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// searches are what people come with, and the page that must be among the first hits.
var searches = []struct{ words, page string }{
	{"137", "words/exit-137/"},
	{"CrashLoopBackOff", "words/crashloopbackoff/"},
	{"OOMKilled", "words/oomkilled/"},
	{"liveness probe failed", "causes/liveness-probe-failed/"},
	{"definition changed", "words/definition-changed/"},
	{"hash-kubelet-upgrade", "causes/hash-kubelet-upgrade/"},
}

// first is how many hits people look at.
const first = 5

// search types into the field and waits for the hits.
const search = `(async words => {
  const wait = async f => {
    for (let i = 0; i < 1000; i++) {
      const got = f();
      if (got) return got;
      await new Promise(r => setTimeout(r, 20));
    }
    throw new Error("waited in vain for " + f);
  };
  const button = await wait(() => document.querySelector("#local-search button"));
  const field = await wait(() => {
    const there = document.querySelector("#localsearch-input");
    if (!there) button.click(); // a click before the page's script is ready does nothing
    return there;
  });
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return wait(() => {
    const hits = [...document.querySelectorAll("#localsearch-list a.result")].map(a => a.href);
    return hits.length && hits;
  });
})`

// finds searches as a reader does, in windows of every size.
func (c *checker) finds(ctx context.Context) (faults []string, err error) {
	for _, s := range sizes {
		for _, want := range searches {
			t, err := c.open(ctx, base, view{s, "light"})
			if err != nil {
				return nil, fmt.Errorf("search %s: %w", want.words, err)
			}
			var hits []string
			if err := c.browser.Evaluate(ctx, t.session, fmt.Sprintf("%s(%q)", search, want.words), &hits); err != nil {
				t.fault(err.Error())
			}
			if !leads(hits[:min(first, len(hits))], c.host+base+want.page) {
				t.fault(fmt.Sprintf("%s is not among the first %d: %q", want.page, first, hits))
			}
			for _, f := range t.close(ctx) {
				faults = append(faults, fmt.Sprintf("search %q, %s: %s", want.words, s.name, f))
			}
		}
	}
	return faults, nil
}

// leads tells whether one of the hits is on a page.
func leads(hits []string, page string) bool {
	return slices.ContainsFunc(hits, func(hit string) bool { return strings.Split(hit, "#")[0] == page })
}

# Everything here runs without a terminal, without root and, once the modules
# are in the module cache, without a network. `make e2e` and `make lab` differ:
# they bring up real nodes and say what they need.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

# The version is what git describes; a tarball of the source is "devel".
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
PKG     := github.com/restartwhy/kubectl-restartwhy
# The image of collector pods, by its digest: a release links what `make image`
# printed into the binaries that people run.
COLLECTOR_IMAGE ?=
INSIDE  := -s -w -buildid= -X main.version=$(VERSION)
LDFLAGS := $(INSIDE) $(if $(COLLECTOR_IMAGE),-X main.collectorImage=$(COLLECTOR_IMAGE))
BIN     := bin/kubectl-restartwhy
CACHE   := $(CURDIR)/.cache

# What collects its garbage less often compiles, links and vets in a quarter less time,
# for half a gigabyte a core.
test test-later lint: export GOGC := 400

.PHONY: build test lint demo lab e2e e2e-full oracle oracle-decision oracle-hash oracle-probe oracle-record corpus bench bench-check dist generate verify image clean

build:
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='$(LDFLAGS)' -o $(BIN) ./cmd/kubectl-restartwhy
	@echo "build: $(BIN) $(VERSION), $$(( $$(stat -c %s $(BIN) 2>/dev/null || stat -f %z $(BIN)) / 1048576 )) MiB"

# The seeds of every fuzz target run as ordinary tests. testsum prints what
# failed in full and closes with one line of figures. lint vets. The
# packages that take longest begin first, so that no core waits for the last of them;
# and no program sleeps for the race detector's second before it ends.
SLOW := ./cmd/kubectl-restartwhy ./tui ./cmd/internal/cli ./diag/journalfile ./diag/bundle
# The race detector watches what works side by side: the program, its sources and screens, and of
# the analyzer what several goroutines ask. The analyzer itself and its judges have one goroutine a
# case and take eight times as long under it; they, and of $(SLOW) what has thousands of cases
# (-short is a sample of them), run without.
RACE := ./cmd/... ./diag/... ./tui/... ./analyzer/story ./analyzer/kubelet/hash ./test/internal/... ./test/lab/...
PURE := ./test/corpus ./analyzer/... ./test/... ./hack/... ./krew/... ./tui ./diag/journalfile
TEST  := (status=0; GORACE=atexit_sleep_ms=10 go test -race -short -vet=off -json $(SLOW) $(RACE) || status=1; \
	go test -vet=off -json $(PURE) || status=1; exit $$status) | $(CACHE)/testsum
test:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/testsum ./hack/testsum
	@$(TEST)

# The same tests 400 days later: what passes today alone fails here, before the day
# comes. After test only those run again that ask diag/clock for the time; of the
# others Go's test cache knows that nothing has changed for them.
.PHONY: test-later
test-later:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/testsum ./hack/testsum
	@export RESTARTWHY_TEST_CLOCK=+9600h; $(TEST)

# staticcheck and actionlint come from their own module, so that they never enter the
# plugin's dependencies. Vetting under -race takes from the build cache what test has built:
# without it everything would be compiled twice.
lint:
	@unformatted=$$(git ls-files -co --exclude-standard -- '*.go' | xargs -r gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	@go vet -race ./...
	@mkdir -p $(CACHE)
	@cd hack/tools && go build -o $(CACHE)/ honnef.co/go/tools/cmd/staticcheck github.com/rhysd/actionlint/cmd/actionlint
	@GOFLAGS=-race $(CACHE)/staticcheck ./...
	@$(CACHE)/actionlint -shellcheck= -pyflakes= .github/workflows/*.yaml
	@echo "lint: gofmt, go vet, staticcheck and actionlint are clean over $$(go list ./... | wc -l | tr -d ' ') packages"

# Every fuzz target, one after another, FUZZTIME each; FUZZ=diag/cri runs those of a
# name alone. An input that breaks one is written beside it, and is a test from then on.
FUZZTIME ?= 30s
.PHONY: fuzz
fuzz:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/fuzz ./hack/fuzz
	@$(CACHE)/fuzz -time $(FUZZTIME) -cache $(CACHE)/fuzzed $(if $(FUZZ),-only '$(FUZZ)')

# The pages of -o html in a headless Chromium, as a reader has them: light, dark, on a
# phone, on paper, without scripts; and with attacks for texts. CHROMIUM=path names another.
.PHONY: html-check
html-check:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/pagecheck ./cmd/internal/pagecheck
	@$(CACHE)/pagecheck -o $(CACHE)/html $(if $(CHROMIUM),-chromium $(CHROMIUM))

# What the recording must show is checked, not only shown.
demo: build
	@$(BIN) demo --no-tui
	@$(BIN) demo -o 'jsonpath={range .items[*]}{.verdict.cause} {.verdict.confidence}{"\n"}{end}' | awk ' \
	{ n++; if (!causes[$$1]++) c++; if ($$2 == "proven") proven++; if ($$0 == "hash-kubelet-upgrade proven") upgrades++ } \
	END { printf "demo: %d restarts, %d causes, %d proven, %d of them by a kubelet upgrade\n", n, c, proven, upgrades; \
	  exit !(n >= 10 && c >= 6 && upgrades >= 2) }'

# The lab is a program of its own: real kubelets on real systemd machines. It
# needs root on Debian Linux, installs and builds what is missing, and keeps what
# it built, by version, in RESTARTWHY_LAB_DIR (/var/lib/restartwhy-lab).
LAB := $(CACHE)/lab

.PHONY: $(LAB)
$(LAB):
	@mkdir -p $(CACHE)
	@go build -o $@ ./test/lab

# Every cause on three kubelet versions, judged at three tiers by the binary.
e2e: build $(LAB)
	@$(LAB) e2e

# The collector pod on real nodes: the same evidence as on the node itself, and no
# pod left however the tool ends.
.PHONY: e2e-collector
e2e-collector: build $(LAB)
	@$(LAB) collector

# Who restarts when a kubelet is exchanged: foretold, done, compared.
.PHONY: e2e-preflight
e2e-preflight: build $(LAB)
	@$(LAB) preflight

# A cluster to work with; `.cache/lab down` ends it.
lab: build $(LAB)
	@$(LAB) up

# Real kubelets against ours: SEED=n CASES=n MINOR=1.34. Each part ends with one
# line of figures; the last line here sums them up, and the exit code is 0 only
# if every part compared all that it was asked for and found no difference. The
# first run builds drivers out of Kubernetes' modules.
DECIDE := ./analyzer/kubelet/decide
ORACLES := oracle-hash oracle-decision oracle-probe
oracle:
	@mkdir -p $(CACHE); status=0; lines=(); \
	for part in $(ORACLES); do \
	  $(MAKE) --no-print-directory $$part | tee $(CACHE)/$$part.log || status=1; \
	  lines+=("$$(tail -n 1 $(CACHE)/$$part.log)"); \
	done; \
	printf '%s\n' "$${lines[@]}" | awk -v parts='$(ORACLES)' ' \
	  { for (i = 2; i <= NF; i++) { if ($$i ~ /^cases/) cases += $$(i-1); if ($$i ~ /^difference/) differences += $$(i-1) } } \
	  END { printf "oracle: %d cases, %d differences over %s", cases, differences, parts }' | sed 's/ *$$//'; \
	if [ $$status = 0 ]; then echo; else echo "; something differed or was not compared"; fi; exit $$status

oracle-decision:
	@rm -rf $(CACHE)/oracle-cover && mkdir -p $(CACHE)/oracle-cover
	@go build -cover -coverpkg=$(DECIDE),./test/oracle/decision -o $(CACHE)/oracle-decision ./test/oracle/decision
	@status=0; GOCOVERDIR=$(CACHE)/oracle-cover $(CACHE)/oracle-decision -cache $(CACHE)/oracle \
	  $(if $(SEED),-seed $(SEED)) $(if $(CASES),-cases $(CASES)) $(if $(MINOR),-minor $(MINOR)) > $(CACHE)/oracle.txt || status=$$?; \
	sed '$$d' $(CACHE)/oracle.txt; \
	go tool covdata textfmt -i=$(CACHE)/oracle-cover -o=$(CACHE)/oracle-cover.txt; \
	go test -coverprofile=$(CACHE)/oracle-unit.txt $(DECIDE) > /dev/null || status=1; \
	go run ./test/oracle/blocks -cases $(CACHE)/oracle-cover.txt -unit $(CACHE)/oracle-unit.txt -left $(CACHE)/oracle-unreached.txt \
	  $(if $(MINOR),-part) $$([ $(or $(CASES),100000) -ge 100000 ] || echo -part) || status=1; \
	tail -n 1 $(CACHE)/oracle.txt; exit $$status

# Real kubelets' HashContainer against our hashes: SEED=n CASES=n MINOR=1.34. CASES
# counts for each era; the drivers are small and built in seconds.
oracle-hash:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/oracle-hash ./test/oracle/hash
	@$(CACHE)/oracle-hash -cache $(CACHE)/oracle $(if $(SEED),-seed $(SEED)) -cases $(or $(CASES),1000000) $(if $(MINOR),-minor $(MINOR))

# The kubelet's own probe worker, on a fake clock. It is played for a few minors:
# for another MINOR it says that it compared nothing.
oracle-probe:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/oracle-probe ./test/oracle/probe
	@$(CACHE)/oracle-probe -cache $(CACHE)/oracle $(if $(SEED),-seed $(SEED)) \
	  $(if $(CASES),-cases $(CASES)) $(if $(MINOR),-minor $(MINOR))

# The recorded answers that make test replays, anew.
oracle-record:
	@go build -o $(CACHE)/oracle-record ./test/oracle/decision
	@rm -f test/oracle/internal/cases/testdata/*.jsonl.zst
	@$(CACHE)/oracle-record -cache $(CACHE)/oracle -seed $(or $(SEED),1) -cases $(or $(CASES),30000) -record test/oracle/internal/cases/testdata
	@go build -o $(CACHE)/oracle-hash ./test/oracle/hash
	@$(CACHE)/oracle-hash -cache $(CACHE)/oracle -seed $(or $(SEED),1) -record test/oracle/internal/hashcase/testdata

# Every log message of every kubelet since 1.5, rendered as that version prints
# it, against the reader of kubelet logs.
verify:
	@go run ./test/messages

# Journals that systemd's own programs write, read by journalctl and by us. The
# programs are unpacked from Debian's packages below .cache/journals; what is not
# to be had is left out, with the reason.
JOURNALS := $(CACHE)/journals-compare
.PHONY: journals journals-bench
journals:
	@mkdir -p $(CACHE)
	@go build -o $(JOURNALS) ./test/journals
	@$(JOURNALS) -work $(CACHE)/journals compare

# A real Prometheus with a made-up past, read by our queries and by the stand-in of the tests; the rules of contrib by its
# promtool; and the budget: 10 000 pods over 14 days. It is unpacked from Debian's package below .cache/metrics.
.PHONY: metrics
metrics:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/metrics-compare ./test/metrics
	@$(CACHE)/metrics-compare -work $(CACHE)/metrics

# A million entries of the kubelet: ours against journalctl -o json.
journals-bench:
	@mkdir -p $(CACHE)
	@go build -o $(JOURNALS) ./test/journals
	@$(JOURNALS) -work $(CACHE)/journals $(if $(ENTRIES),-entries $(ENTRIES)) bench

# The collector pod's image: this binary and nothing else, for both architectures
# that nodes have, as an OCI archive; the same source gives the same digest. No
# registry and no container runtime takes part. The binary inside is built
# without COLLECTOR_IMAGE: it cannot know its own digest.
IMAGE  ?= ghcr.io/restartwhy/kubectl-restartwhy
ARCHES ?= amd64 arm64
image:
	@mkdir -p dist $(CACHE)
	@for arch in $(ARCHES); do \
	  CGO_ENABLED=0 GOOS=linux GOARCH=$$arch go build -trimpath -buildvcs=false -ldflags='$(INSIDE)' -o $(CACHE)/image-linux-$$arch ./cmd/kubectl-restartwhy; done
	@go run ./hack/image -name $(IMAGE):$(VERSION) -o dist/kubectl-restartwhy-image.tar $(foreach a,$(ARCHES),linux/$(a)=$(CACHE)/image-linux-$(a)) > dist/kubectl-restartwhy-image.ref
	@echo "image: dist/kubectl-restartwhy-image.tar, $$(( $$(wc -c < dist/kubectl-restartwhy-image.tar) / 1048576 )) MiB, $(ARCHES), $$(cat dist/kubectl-restartwhy-image.ref)"

clean:
	rm -rf bin dist .cache

# Every scenario with its truth, at every tier, with evidence taken away, and in
# other forms of the same meaning. ENTRY=name judges one.
corpus:
	@go build -o $(CACHE)/corpus ./test/corpus
	@$(CACHE)/corpus $(if $(ENTRY),-v -entry '$(ENTRY)')

# Public incidents that none of us made, with the truth that was established there. Of
# the open half what is not right is shown, ENTRY=name shows one in full; of the blind
# half there are figures only.
.PHONY: field
field:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/field ./test/field
	@$(CACHE)/field $(if $(ENTRY),-entry '$(ENTRY)')

# Every end of a container that a log names is an item, or counted as unnamed; an independent
# reader counts.
.PHONY: recall
recall:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/recall ./test/recall
	@$(CACHE)/recall

# What could make a wrong verdict proven: true stories under clocks that step, journals
# that stall, other machines' logs, forged lines, holes. SEED=n CASES=n CLASS=name.
.PHONY: attacks
attacks:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/attacks ./test/corpus/attacks
	@$(CACHE)/attacks $(if $(SEED),-seed $(SEED)) $(if $(CASES),-cases $(CASES)) $(if $(CLASS),-class '$(CLASS)')

# Properties against every combination of what a pod's status says: SEED=n CASES=n.
.PHONY: statuses
statuses:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/statuses ./test/statuses
	@$(CACHE)/statuses $(if $(SEED),-seed $(SEED)) $(if $(CASES),-cases $(CASES))

# Against peers, in one run each: the reader of kubelet logs and grep, the reader
# of journals and journalctl, the hashes and upstream's own functions; and the memory
# that a large cluster takes. What is over its budget is printed and fails the run;
# figures of a quiet machine are kept in docs/BENCHMARKS.md.
bench: build
	@mkdir -p $(CACHE); status=0; \
	go run ./test/bench/klog | tee $(CACHE)/bench-klog.log || status=1; \
	go run ./test/bench/klog -bin $(BIN) -rounds 3 | tee $(CACHE)/bench-whole.log || status=1; \
	$(MAKE) --no-print-directory journals-bench | tee $(CACHE)/bench-journals.log || status=1; \
	$(MAKE) --no-print-directory oracle-hash CASES=20000 MINOR=1.36 | tee $(CACHE)/bench-hash.log || status=1; \
	$(MAKE) --no-print-directory bench-cluster | tee $(CACHE)/bench-cluster.log || status=1; \
	go test -run '^$$' -bench . -benchmem ./analyzer ./analyzer/kubelet/hash | grep -E '^(Benchmark|ok)' || status=1; \
	echo "bench: klog: $$(tail -n 1 $(CACHE)/bench-klog.log); journals: $$(tail -n 1 $(CACHE)/bench-journals.log); $$(tail -n 1 $(CACHE)/bench-cluster.log)"; exit $$status

# A made-up cluster of 150 000 pods: time, and memory against its budget.
.PHONY: bench-cluster
bench-cluster: build
	@go run ./test/bench/cluster -bin $(BIN) $(if $(NODES),-nodes $(NODES))

# Everything that needs real nodes: the verdicts, then the ways to a node's evidence
# and what the collector pod leaves behind.
e2e-full: e2e e2e-collector e2e-preflight

# Documents that are made from the code; a test of each fails where it is not up to date.

# The archives of a release, for every platform of the Krew manifest, with their
# checksums and the manifest. A commit without a tag is a pre-release of v0.0.0. The
# same source gives the same bytes wherever it lies: make dist-check builds twice.
PLATFORMS    ?= linux/amd64 linux/arm64 linux/arm darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
DIST         ?= dist
# The manifest names every platform: a part of them goes without one (MANIFEST=), or
# with one of that part alone (PARTIAL=1), which tests use and no release.
MANIFEST     ?= krew/restartwhy.yaml
DIST_VERSION ?= $(shell git describe --tags --exact-match 2>/dev/null || echo v0.0.0-$$(git rev-parse --short=12 HEAD 2>/dev/null || echo devel))
DIST_TIME    ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
dist:
	@mkdir -p $(CACHE)/dist && rm -f $(DIST)/kubectl-restartwhy_*
	@for p in $(PLATFORMS); do os=$${p%/*} arch=$${p#*/}; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -buildvcs=false \
	    -ldflags='-s -w -buildid= -X main.version=$(DIST_VERSION)$(if $(COLLECTOR_IMAGE), -X main.collectorImage=$(COLLECTOR_IMAGE))' \
	    -o $(CACHE)/dist/$$os-$$arch ./cmd/kubectl-restartwhy; done
	@go run ./hack/dist -version $(DIST_VERSION) -time $(DIST_TIME) -o $(DIST) -manifest '$(MANIFEST)' $(if $(PARTIAL),-partial) \
	  $(foreach p,$(PLATFORMS),$(p)=$(CACHE)/dist/$(subst /,-,$(p)))
	@echo "dist: $(words $(PLATFORMS)) archives of $(DIST_VERSION) in $(DIST), $$(du -cm $(DIST)/kubectl-restartwhy_$(DIST_VERSION)_* | tail -n 1 | cut -f 1) MiB, checksums.txt$(if $(MANIFEST), and $(notdir $(MANIFEST)))"

# A second build in another folder, with a build cache of its own, must give the
# same bytes. One platform by default: an empty cache costs minutes for each.
.PHONY: dist-check
dist-check:
	@rm -rf $(CACHE)/again && mkdir -p $(CACHE)/again/source
	@$(MAKE) --no-print-directory dist PLATFORMS='$(or $(CHECK),linux/amd64)' MANIFEST= DIST=$(CACHE)/again/first
	@git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t $(CACHE)/again/source
	@cd $(CACHE)/again/source && GOCACHE=$(CACHE)/again/gocache $(MAKE) --no-print-directory dist PLATFORMS='$(or $(CHECK),linux/amd64)' MANIFEST= \
	  DIST=$(CACHE)/again/second DIST_VERSION=$(DIST_VERSION) DIST_TIME=$(DIST_TIME)
	@status=0; diff $(CACHE)/again/first/checksums.txt $(CACHE)/again/second/checksums.txt || status=1; \
	rm -rf $(CACHE)/again/source $(CACHE)/again/gocache; \
	if [ $$status = 0 ]; then echo "dist-check: built twice in two folders: $$(wc -l < $(CACHE)/again/first/checksums.txt) archives, the same bytes"; \
	else echo "dist-check: the same source gave two archives"; fi; exit $$status

# Krew's own programs, of the release that the module pins, against the archives of
# make dist: the manifest's checker, then an offline install for each platform and
# kubectl restartwhy demo from it. KUBECTL=path names another kubectl.
.PHONY: krew-check
krew-check:
	@mkdir -p $(CACHE)
	@cd hack/krewtools && go build -o $(CACHE)/ sigs.k8s.io/krew/cmd/krew sigs.k8s.io/krew/cmd/validate-krew-manifest
	@go run ./test/krew -dist $(DIST) -bin $(CACHE) $(if $(KUBECTL),-kubectl $(KUBECTL))

# What a release of Kubernetes changes for this program: V=v1.38.0 (stable, newest), FROM=v1.37.1.
# WRITE=1 keeps its inventory and renews the tables, DIFF=1 shows functions that changed. It
# fails (1) when something changed, which the report names, and (2) when nothing was compared.
.PHONY: new-minor
new-minor:
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/newminor ./hack/newminor
	@$(CACHE)/newminor -v '$(V)' $(if $(FROM),-from '$(FROM)') $(if $(WRITE),-write) $(if $(DIFF),-diff)

# What is made from the source and committed: the pages of the causes, the JSON Schema
# of the report, the keys of the viewer, and the tables made from Kubernetes' releases. Tests say when one is out of date.
generate:
	@go test -count=1 -run TestTheDocumentsOfTheCausesAreUpToDate ./analyzer/causes/catalogue -update > /dev/null
	@go test -count=1 -run TestTheDocumentsOfTheWordsAreUpToDate ./cmd/internal/cli -update-words > /dev/null
	@go run ./hack/reportschema analyzer/report > docs/report.schema.json.new
	@mv docs/report.schema.json.new docs/report.schema.json
	@go test -count=1 -run TestTheKeysDocumentIsUpToDate ./tui -update > /dev/null
	@go run ./hack/newminor -tables
	@go run ./test/field -list > docs/INCIDENTS.md.new
	@mv docs/INCIDENTS.md.new docs/INCIDENTS.md
	@echo "generate: docs/causes, $$(ls docs/causes | wc -l) pages; docs/words, $$(ls docs/words | wc -l) pages; docs/report.schema.json, $$(wc -l < docs/report.schema.json) lines; docs/KEYS.md, $$(grep -c '^| `' docs/KEYS.md) keys"

# The pictures of docs/screens, taken from the viewer in a real terminal (tmux).
.PHONY: screens
screens: build
	@go build -o $(CACHE)/screens ./hack/screens
	@hack/screens/capture.sh $(BIN) docs/screens $(CACHE)/screens
	@echo "screens: $$(ls docs/screens/*.svg | wc -l) screens in docs/screens"

# The budgets: the ratios of make bench, then time and size of what has no peer. It
# fails when one is over; a machine that does other work at once is no judge.
bench-check: bench
	@CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 go build -trimpath -buildvcs=false -ldflags='$(LDFLAGS)' -o $(CACHE)/darwin ./cmd/kubectl-restartwhy
	@go run ./test/bench/budget -bin $(BIN) -darwin $(CACHE)/darwin

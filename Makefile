# Everything here runs without a terminal, without root and, once the modules are cached, without a network; `make e2e`,
# `make lab` and `make site` say what they need. Each program's doc comment says what its target does.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
opt = $(if $(2),$(1) '$(2)')

# The version is what git describes; a tarball of the source is "devel".
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
# The image of collector pods, by its digest: a release links what `make image` printed into the binaries.
LDFLAGS := -s -w -buildid= -X main.version=$(VERSION) $(COLLECTOR_IMAGE:%=-X main.collectorImage=%)
BUILD   := CGO_ENABLED=0 go build -trimpath -buildvcs=false
BIN     := bin/kubectl-restartwhy
CACHE   := $(CURDIR)/.cache$(shell mkdir -p .cache)
MAKEFLAGS += --no-print-directory

.PHONY: $(shell sed -n 's/^\([a-z][a-z0-9-]*\):.*/\1/p' Makefile)

build: ; $(BUILD) -ldflags='$(LDFLAGS)' -o $(BIN) ./cmd/kubectl-restartwhy
clean: ; rm -rf bin dist .cache
# The seeds of every fuzz target run as ordinary tests. The packages that take longest begin first. GOGC buys time with
# memory.
SLOW := ./cmd/internal/cli ./test/corpus ./test/corpus/attacks ./cmd/kubectl-restartwhy
test test-race lint: export GOGC := 400
test: ; @go test -vet=off -timeout=30m -json $(SLOW) ./... | go run ./hack/testsum
# The race detector watches what works side by side: the packages that start goroutines or hold a lock, in their code or
# in their tests, and cmd/kubectl-restartwhy, whose scripts run every command. What one goroutine does takes eight times as
# long under it: -short leaves the tables and seeds of it to `make test`. No program sleeps its second before it ends.
RACE = $(shell grep -rlE --include='*.go' '^\s+go [a-z]|\bsync\.[A-Z]' cmd diag tui analyzer | xargs -n1 dirname | sort -u | sed 's|^|./|')
test-race: export GORACE := atexit_sleep_ms=10
test-race: ; @go test -race -short -vet=off -timeout=30m -json ./cmd/kubectl-restartwhy $(RACE) | go run ./hack/testsum
# The same tests 400 days later: what passes today alone fails here. Only those run again that ask diag/clock for the time.
test-later: export RESTARTWHY_TEST_CLOCK := +9600h
test-later: test
fuzz: # FUZZTIME each; FUZZ=diag/internal/cri runs those of a name alone
	@hack/fuzz.sh $(or $(FUZZTIME),30s) $(CACHE)/fuzzed '$(FUZZ)'
lint: # the linters' own module keeps them out of the plugin's
	@cd hack/tools && go build -o $(CACHE)/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint github.com/rhysd/actionlint/cmd/actionlint
	@$(CACHE)/golangci-lint run --max-issues-per-linter=0 --max-same-issues=0 ./...
	@$(CACHE)/actionlint -shellcheck= -pyflakes= .github/workflows/*.yaml
html-check: ; @go test ./cmd/internal/pagecheck -run InABrowser -count=1 -v -args -pictures=$(CACHE)/html $(call opt,-chromium,$(CHROMIUM)) # another browser
site: ; @hack/site/build.sh $(CACHE)/site # the pages of docs/, in .cache/site/public
demo: build ; @$(BIN) demo --no-tui # what it must show is a test of cmd/internal/demo

# Judges of verdicts: the corpus, public incidents (half of them blind), an independent reader of ends, what could
# make a wrong verdict proven, and every pod status.
corpus: ; @go run ./test/corpus $(if $(ENTRY),-v) $(call opt,-entry,$(ENTRY)) # ENTRY=name judges one
field: ; @go run ./test/field $(call opt,-entry,$(ENTRY)) $(call opt,-forms,$(FORMS)) # ENTRY=name; FORMS=1: as pasted
recall: ; @go run ./test/recall
attacks: # SEED=n CASES=n CLASS=name
	@go run ./test/corpus/attacks $(call opt,-seed,$(SEED)) $(call opt,-cases,$(CASES)) $(call opt,-class,$(CLASS))
statuses: ; @go run ./test/statuses $(call opt,-seed,$(SEED)) $(call opt,-cases,$(CASES)) # SEED=n CASES=n

# Real kubelets on real systemd machines: root on Debian Linux; what was built stays in RESTARTWHY_LAB_DIR.
LAB := go build -o $(CACHE)/lab ./test/lab && $(CACHE)/lab
lab: build ; @$(LAB) up # a cluster to work with; `.cache/lab down` ends it
e2e: build ; @$(LAB) e2e
e2e-collector: build ; @$(LAB) collector
e2e-preflight: build ; @$(LAB) preflight
e2e-metrics: build ; @$(LAB) metrics
e2e-faults: build ; @$(LAB) faults # what is read fails while it is read; Ctrl-C at any moment
e2e-today: build ; @$(LAB) today --resume=$(or $(RESUME),false) $(call opt,--kubelet,$(KUBELET)) $(call opt,--part,$(PART)) # an emulated node: cgroup v2
# All of it, each step also after one that failed. RESUME=true goes on after the steps that passed, and the parts of a node
# of today that were judged.
once = '[ ! -e $(CACHE)/full/$(lastword $(1)) ] || { echo "$(1): passed before"; exit; }; $(MAKE) $(1) && touch $(CACHE)/full/$(lastword $(1))'
e2e-full:
	@[ '$(RESUME)' = true ] || rm -rf $(CACHE)/full; mkdir -p $(CACHE)/full
	@hack/steps.sh e2e-full $(foreach t,e2e e2e-collector e2e-preflight e2e-metrics e2e-faults,$(call once,$(t))) \
	$(foreach v,v1.37.1 v1.34.4 v1.31.0,$(call once,e2e-today KUBELET=$(v)))

# Real kubelets' functions against ours: SEED=n CASES=n MINOR=1.34. Each part runs whatever became of the one before.
PICK = -cache $(CACHE)/oracle $(call opt,-seed,$(SEED)) $(call opt,-cases,$(CASES)) $(call opt,-minor,$(MINOR))
oracle: ; @hack/steps.sh oracle '$(MAKE) oracle-hash' '$(MAKE) oracle-decision' '$(MAKE) oracle-probe'
oracle-hash: CASES ?= 1000000
oracle-hash: ; @go run ./test/oracle/hash $(PICK)
oracle-decision: ; @go run ./test/oracle/blocks $(PICK)
oracle-probe: ; @go run ./test/oracle/probe $(PICK)
oracle-record: # renews the answers that `make test` replays
	@rm -f test/oracle/internal/cases/testdata/*.jsonl.zst
	@go run ./test/oracle/decision -cache $(CACHE)/oracle -seed $(or $(SEED),1) -cases $(or $(CASES),30000) -record test/oracle/internal/cases/testdata
	@go run ./test/oracle/hash -cache $(CACHE)/oracle -seed $(or $(SEED),1) -record test/oracle/internal/hashcase/testdata
verify: ; @go run ./test/messages # every log message of every kubelet against the reader of its logs
journals: ; @go run ./test/journals -work $(CACHE)/journals compare
journals-bench: ; @go run ./test/journals -work $(CACHE)/journals $(call opt,-entries,$(ENTRIES)) bench
metrics: ; @go run ./test/metrics -work $(CACHE)/metrics # a real Prometheus; 10 000 pods over 14 days

# Against peers, in one run each; what is over its budget fails the run. Figures of a quiet machine: docs/BENCHMARKS.md.
bench: build
	@hack/steps.sh bench 'go run ./test/bench/klog' 'go run ./test/bench/klog -bin $(BIN) -rounds 3' \
	  '$(MAKE) journals-bench' '$(MAKE) oracle-hash CASES=20000 MINOR=1.36' '$(MAKE) bench-cluster' \
	  "go test -run '^$$' -bench . -benchmem ./analyzer ./analyzer/kubelet/hash"
bench-cluster: build ; @go run ./test/bench/cluster -bin $(BIN) $(call opt,-nodes,$(NODES))
bench-check: bench
	@GOOS=darwin GOARCH=arm64 $(BUILD) -ldflags='$(LDFLAGS)' -o $(CACHE)/darwin ./cmd/kubectl-restartwhy
	@go run ./test/bench/budget -bin $(BIN) -darwin $(CACHE)/darwin

# The collector pod's image, an OCI archive, and a release's archives, checksums and Krew manifest (docs/RELEASING.md):
# the same source gives the same bytes, wherever it lies. PLATFORMS=, MANIFEST= and PARTIAL=1 are for tests.
image: ; @go run ./hack/image -name $(or $(IMAGE),ghcr.io/restartwhy/kubectl-restartwhy):$(VERSION) -o dist/kubectl-restartwhy-image.tar \
	  -ref dist/kubectl-restartwhy-image.ref $(or $(ARCHES),amd64 arm64)
dist: MANIFEST ?= krew/restartwhy.yaml
dist:
	@go run ./hack/dist -o $(or $(DIST),dist) -manifest '$(MANIFEST)' $(if $(PARTIAL),-partial,-formula contrib/homebrew/restartwhy.rb) $(call opt,-image,$(COLLECTOR_IMAGE)) $(call opt,-version,$(DIST_VERSION)) $(PLATFORMS)
dist-check: CHECK ?= linux/amd64
dist-check: # CHECK='linux/amd64 …': built in two folders, each with a cache of its own: the bytes must be the same
	@rm -rf $(CACHE)/twice && mkdir -p $(CACHE)/twice/source
	@git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t $(CACHE)/twice/source
	@go run ./hack/dist -version v0.0.0 -time 0 -o $(CACHE)/twice/one $(CHECK)
	@cd $(CACHE)/twice/source && GOCACHE=$(CACHE)/twice/cache go run ./hack/dist -version v0.0.0 -time 0 -o ../two $(CHECK)
	@cd $(CACHE)/twice && cmp one/checksums.txt two/checksums.txt && rm -rf $(CACHE)/twice && echo 'dist-check: the same bytes twice'
krew-check: # Krew's own programs against those archives; KUBECTL=path names another kubectl
	@cd hack/krewtools && go build -o $(CACHE)/ sigs.k8s.io/krew/cmd/krew sigs.k8s.io/krew/cmd/validate-krew-manifest
	@go run ./test/krew -dist $(or $(DIST),dist) -bin $(CACHE) $(call opt,-kubectl,$(KUBECTL))
release-check: ; @hack/steps.sh release '$(MAKE) image' '$(MAKE) dist COLLECTOR_IMAGE="$$(cat dist/*.ref)"' '$(MAKE) krew-check' '$(MAKE) dist-check'

# What a release of Kubernetes changes: V=v1.38.0 FROM=v1.37.1 WRITE=1 DIFF=1. Exit code 1 is a change, 2 not compared.
new-minor:
	@go build -o $(CACHE)/newminor ./hack/newminor && $(CACHE)/newminor -v '$(V)' $(call opt,-from,$(FROM)) $(if $(WRITE),-write) $(if $(DIFF),-diff)
generate: # what is made from the source and committed; a test of each says when it is out of date
	@go test -count=1 -run TestTheDocumentsOfTheCausesAreUpToDate ./analyzer/internal/causes/catalogue -update > /dev/null
	@go test -count=1 -run TestTheDocumentsOfTheWordsAreUpToDate ./cmd/internal/cli -update > /dev/null
	@go test -count=1 -run TestTheKeysDocumentIsUpToDate ./tui -update > /dev/null
	@go run ./hack/reportschema analyzer/report > $(CACHE)/new && mv $(CACHE)/new docs/report.schema.json
	@go run ./hack/newminor -tables
	@go run ./test/field -list > $(CACHE)/new && mv $(CACHE)/new docs/INCIDENTS.md
screens: build # the pictures of docs/screens, taken from the viewer in a real terminal (tmux)
	@go build -o $(CACHE)/screens ./hack/screens && hack/screens/capture.sh $(BIN) docs/screens $(CACHE)/screens

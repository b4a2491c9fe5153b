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

.PHONY: build test lint demo lab e2e e2e-full oracle oracle-decision oracle-record corpus bench bench-check dist generate verify image clean

build:
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='$(LDFLAGS)' -o $(BIN) ./cmd/kubectl-restartwhy
	@echo "build: $(BIN) $(VERSION), $$(( $$(stat -c %s $(BIN) 2>/dev/null || stat -f %z $(BIN)) / 1048576 )) MiB"

# The seeds of every fuzz target run as ordinary tests. testsum prints what
# failed in full and closes with one line of figures.
test: lint
	@mkdir -p $(CACHE)
	@go build -o $(CACHE)/testsum ./hack/testsum
	@go test -race -json ./... | $(CACHE)/testsum

# staticcheck comes from its own module, so that it never enters the plugin's
# dependencies.
lint:
	@unformatted=$$(git ls-files -co --exclude-standard -- '*.go' | xargs -r gofmt -l); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	@go vet ./...
	@mkdir -p $(CACHE)
	@cd hack/tools && go build -o $(CACHE)/staticcheck honnef.co/go/tools/cmd/staticcheck
	@$(CACHE)/staticcheck ./...
	@echo "lint: gofmt, go vet and staticcheck are clean over $$(go list ./... | wc -l | tr -d ' ') packages"

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

# A cluster to work with; `.cache/lab down` ends it.
lab: build $(LAB)
	@$(LAB) up

# Real kubelets against our decision: SEED=n CASES=n MINOR=1.34. The first run
# builds a driver for each minor out of Kubernetes' modules.
DECIDE := ./analyzer/kubelet/decide
oracle: oracle-decision
oracle-decision:
	@rm -rf $(CACHE)/oracle-cover && mkdir -p $(CACHE)/oracle-cover
	@go build -cover -coverpkg=$(DECIDE),./test/oracle/decision -o $(CACHE)/oracle-decision ./test/oracle/decision
	@status=0; GOCOVERDIR=$(CACHE)/oracle-cover $(CACHE)/oracle-decision -cache $(CACHE)/oracle \
	  $(if $(SEED),-seed $(SEED)) $(if $(CASES),-cases $(CASES)) $(if $(MINOR),-minor $(MINOR)) > $(CACHE)/oracle.txt || status=$$?; \
	sed '$$d' $(CACHE)/oracle.txt; \
	go tool covdata textfmt -i=$(CACHE)/oracle-cover -o=$(CACHE)/oracle-cover.txt; \
	awk '/\/kubelet\/decide\// && !/(backoff|before|decide)\.go/ { all++; if ($$3) hit++; else print $$1 > "$(CACHE)/oracle-unreached.txt" } \
	  END { printf "oracle: %d of %d blocks of our computePodActions reached, the others in .cache/oracle-unreached.txt\n", hit, all }' \
	  $(CACHE)/oracle-cover.txt; \
	tail -n 1 $(CACHE)/oracle.txt; exit $$status

# The recorded answers that make test replays, anew.
oracle-record:
	@go build -o $(CACHE)/oracle-record ./test/oracle/decision
	@rm -f test/oracle/internal/cases/testdata/*.jsonl.zst
	@$(CACHE)/oracle-record -cache $(CACHE)/oracle -seed $(or $(SEED),1) -cases $(or $(CASES),30000) -record test/oracle/internal/cases/testdata

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

# Targets that stand in the contract and have nothing behind them yet say so.
e2e-full corpus bench bench-check dist generate verify:
	@echo "$@: not built yet"; exit 2

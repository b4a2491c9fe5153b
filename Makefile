# Everything here runs without a terminal, without root and, once the modules
# are in the module cache, without a network. `make e2e` and `make lab` differ:
# they bring up real nodes and say what they need.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

# The version is what git describes; a tarball of the source is "devel".
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
PKG     := github.com/restartwhy/kubectl-restartwhy
LDFLAGS := -s -w -buildid= -X main.version=$(VERSION)
BIN     := bin/kubectl-restartwhy
CACHE   := $(CURDIR)/.cache

.PHONY: build test lint demo lab e2e e2e-full oracle corpus bench bench-check dist generate verify image clean

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

# A cluster to work with; `.cache/lab down` ends it.
lab: build $(LAB)
	@$(LAB) up

clean:
	rm -rf bin dist .cache

# Targets that stand in the contract and have nothing behind them yet say so.
e2e-full oracle corpus bench bench-check dist generate verify image:
	@echo "$@: not built yet"; exit 2

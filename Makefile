# The entry point. `make help` lists the commands.

CYCLES  ?= 100
CUTS    ?= 1000
SEEDS   ?= 100000
GAMES   ?= 100
MUTATIONS ?= 10000
PLAYERS ?= 5000
ROUNDS  ?= 1
MANY    ?= 300
MANY_GAMES ?= 1000
PASSES  ?= 5
SOAK    ?= 600
BACKUP_MB ?= 1024
TURNS ?= 5
TIMES ?= 20
GHOSTS ?= 49
PHONES ?= 19000
TEXTS ?= 4
OVER_MS ?= 10000
CONTAINER ?= docker
PYTHON2 ?= python2
# The version of mdbook that makes the book.
MDBOOK  := 0.5.4
CARGO   ?= cargo
LOCKED  := --locked
# Cargo's name for the program that runs tests.
RUNNER  := target."cfg(all())".runner
# The folder in which client-package builds a project that has only the packages.
CONSUMER ?= $(CURDIR)/target/consumer
# The commit that `quizhall --version` prints for a build for distribution.
COMMIT  = $(or $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null),unknown)
DATE    = $(shell date -u -d "@$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || date +%s)}" +%F)
# Measured programs are built as they are shipped.
SHIPPED := --profile dist $(LOCKED) --features quizhall/jemalloc
DIST    := $(SHIPPED) --bin quizhall --bin quizhall-load

# The list of tasks that could not run because a program is missing: one line each, shown at the end of `make test`.
export NOT_RUN := $(CURDIR)/target/not-run
# In CI a build without the pages fails. Set for every step, because a change of the variable makes the next step build again.
ifeq ($(CI),true)
export QUIZHALL_REQUIRE_WEB := 1
# There is only one build, so preparing for a faster second one is wasted work.
export CARGO_INCREMENTAL := 0
# The line of a panic is printed without them.
export CARGO_PROFILE_DEV_DEBUG := 0
# Clippy compiles our crates: the tested build is linted as well. As a separate step it compiled all dependencies a second time,
# which took 3 minutes of 20. Not for measured or shipped programs: clippy leaves out some optimisations of rustc.
linted := libraries lint service-tests other-tests cluster-tests debug-binary instructions
$(linted): export RUSTC_WORKSPACE_WRAPPER := clippy-driver
$(linted): export CLIPPY_ARGS := -Dwarnings
# Optimised crates are not optimised a second time across their units, which took 64 s of 286 for rules, engine and their tests. As a
# setting of the profile it would compile libraries again whenever another set of targets is built. Not for shipped programs either.
$(linted): export RUSTFLAGS := -Clto=off
# Not --all-targets: with it, a library that has no unit tests is compiled a second time to be measured.
LINT    := test --workspace --tests --bench '*' $(LOCKED) --no-run
LINTER  := .ci/tool clippy
else
LINT    := clippy --workspace --all-targets $(LOCKED) -- -D warnings
endif

.DEFAULT_GOAL := help
.NOTPARALLEL:
# No target is a file.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## List these commands
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

run: ## Build and start the service with its pages; its data is in ./data, stop it with Ctrl-C
	@.ci/web build run
	$(CARGO) run --profile start $(LOCKED) --bin quizhall

cluster: ## Run three nodes, PostgreSQL, Redis and a load balancer on this machine, until Ctrl-C (docs/operate/cluster.md)
	@.ci/web build run
	$(CARGO) build --release $(LOCKED) --bin quizhall
	@.ci/cluster

image: ## Build the container image quizhall with docker, or with the program in CONTAINER
	$(CONTAINER) build -f deploy/Dockerfile --build-arg COMMIT=$(COMMIT) --build-arg DATE=$(DATE) -t quizhall .

dist: export QUIZHALL_REQUIRE_WEB := 1
dist: export QUIZHALL_BUILD_COMMIT = $(COMMIT)
dist: export QUIZHALL_BUILD_DATE = $(DATE)
dist: ## Build all packages, for this machine or TARGET: tarball, .deb, debug information, bill of materials, tools, client libraries, Helm chart, checksums
	@.ci/needs git objcopy xz dpkg-deb lintian $(if $(findstring musl,$(TARGET)),musl-gcc)
	@.ci/web build
	$(if $(TARGET),rustup target add $(TARGET))
	$(CARGO) build $(DIST) --bin quizhall-conformance $(if $(TARGET),--target $(TARGET))
	$(CARGO) build $(LOCKED) -p quizhall-tidy
	deploy/package target/$(if $(TARGET),$(TARGET)/)dist/quizhall target/packages
	deploy/tools target/$(if $(TARGET),$(TARGET)/)dist target/packages
	deploy/sdk target/packages
	deploy/chart target/packages
	CARGO="$(CARGO)" deploy/crates target/packages
	@.ci/lintian target/packages
	@cat target/packages/*.sha256

test: begin format prepare lint tests deny ## Run every check: format, lint, all tests, licences (.ci/run runs this)
	@if [ -s "$$NOT_RUN" ]; then echo "==> all that ran holds. NOT RUN:"; cat "$$NOT_RUN"; else echo "==> all holds"; fi

# A tenth of the games of the simulation and of the model.
quick: export QUIZHALL_SIM_SEEDS ?= 100
quick: export QUIZHALL_GAMES ?= 1000
quick: format ## Run the inner loop, under a minute when built: rules, engine, wire, house rules, unit tests of the pages
	@echo "==> tests: rules, engine, protocol, house rules"
	@.ci/beside ".ci/web units test" $(CARGO) test -q $(LOCKED) \
		-p quizhall-rules-tests -p quizhall-engine-tests -p quizhall-protocol -p quizhall-tidy

check: format lint ## Format and lint only

begin:
	@mkdir -p "$(dir $(NOT_RUN))" && rm -f "$$NOT_RUN"

format:
	@echo "==> format"
	@.ci/tool rustfmt $(CARGO) fmt --all --check

# The end of a compilation has work for one core only; the linters of the pages use the other.
lint:
	@echo "==> lint"
	@.ci/beside ".ci/web lint test" .ci/tool clippy $(CARGO) $(LINT)

web: ## Build the web app into web/dist when it has changed; the next build of the service embeds it
	@.ci/web build

web-dev: ## Serve the pages with live reload on port 5173, for a service on port 8080
	cd web && npm run dev

# The tests of the cluster use half of a processor. Meanwhile, tasks that do not depend on time run with the lowest priority;
# during the tests of the service they delayed those. The tests in a browser come last, because they pass at any speed.
tests:
	@$(MAKE) service-tests
	@.ci/beside "$(MAKE) other-tests instructions web-units e2e" $(MAKE) cluster-tests

# Programs that the tests call, and the app that they are built with: both wait for the network on a new machine, and compilers do not.
prepare:
	@.ci/beside "$(MAKE) needs" .ci/beside "$(MAKE) libraries" $(MAKE) app

# Nearly half of what the tests compile, in the same form: all that can be compiled without the app.
libraries:
	@$(LINTER) $(CARGO) build -q --workspace --bin quizhall-conformance --bin quizhall-load --bin fixed-game $(LOCKED)

app:
	@.ci/web build test

web-units:
	@.ci/web units test

# The same binary as `unit` builds: with other features it would be built again.
debug-binary:
	@$(CARGO) test -q --workspace --test it --no-run $(LOCKED)

e2e: debug-binary ## Try the pages in a browser
	@.ci/web e2e test

tour: web debug-binary ## Play the game of docs/tour.md and keep its pictures
	@.ci/web tour

needs:
	@.ci/needs strace curl python3 openssl postgres pgbouncer redis-server git objcopy xz systemd-analyze prometheus promtool nginx haproxy caddy rclone fail2ban-regex \
		valgrind
	@.ci/kubernetes
	@.ci/browser >/dev/null || [ "$(CI)" != true ]

# Most tests of the service wait for a clock: with four threads per core, two cores take 151 s, with two threads 236 s.
service-tests: export RUST_TEST_THREADS ?= $(shell echo $$((4 * $$(nproc))))
service-tests:
	@echo "==> tests: the service, without those of the cluster"
	$(CARGO) test --workspace --tests $(LOCKED) --config '$(RUNNER)=[".ci/only", "quizhall"]' -- --skip cluster::

other-tests:
	@echo "==> tests: rules, engine, protocol, client, conformance, load tool, documents, house rules"
	$(CARGO) test -q --workspace $(LOCKED) --config '$(RUNNER)=[".ci/only", "!quizhall"]'

cluster-tests:
	@echo "==> tests: three nodes, PostgreSQL and Redis; one at a time, for what they promise in seconds needs the machine"
	$(CARGO) test -q --workspace --tests $(LOCKED) -- --test-threads 1 cluster::

deny: ## Check licences, sources, bans and known advisories with cargo-deny, if it is installed
	@echo "==> licences, sources and advisories"
	@CARGO="$(CARGO)" .ci/deny

generate: ## Write the references and types that are generated from the code
	$(CARGO) run -q $(LOCKED) -p quizhall-tidy -- generate

api-lint: ## Lint the description of the HTTP interface with redocly, which npx fetches
	cd web && npx --yes @redocly/cli@2 lint --skip-rule operation-4xx-response ../docs/reference/openapi.json

book: ## Make a book of all pages, with search, in target/book
	@.ci/book $(MDBOOK)

conformance: ## Judge a fresh server by the conformance tables of the interface
	$(CARGO) build --release $(LOCKED) --bin quizhall --bin quizhall-conformance
	.ci/with-server sh -c 'exec target/release/quizhall-conformance --url "$$QUIZHALL_URL" --failed-joins-per-minute 0'

crash: ## Kill a server under load CYCLES times and look for a lost answer
	QUIZHALL_CRASH_CYCLES=$(CYCLES) $(CARGO) test --release $(LOCKED) --features small-bundles -p quizhall --test it crash -- --nocapture

backup-under-load: ## Back up BACKUP_MB while 500 players answer, and check the promises of a backup
	QUIZHALL_BACKUP_MB=$(BACKUP_MB) $(CARGO) test --release $(LOCKED) -p quizhall --test it backup::under_load -- --nocapture

webhook-load: ## Measure acknowledgements with and without hanging receivers, alternating, TURNS of each, and check the promise
	@.ci/needs postgres
	QUIZHALL_WEBHOOK_LOAD=$(TURNS) $(CARGO) test --release $(LOCKED) -p quizhall --test it webhook_load -- --nocapture --test-threads 1

client-package: ## Build a crate against the packaged client in Rust, offline, and play a question with it
	@rm -f $(CONSUMER)/debug/plays
	QUIZHALL_CONSUMER=$(CONSUMER) $(CARGO) test $(LOCKED) -p quizhall --test it libraries::the_packaged_crates -- --nocapture
	@test -x $(CONSUMER)/debug/plays || { echo "no test has built the consumer"; exit 1; }

golden: ## Keep a database of this version for the tests of later versions, in a folder named VERSION (0.2.0-schema2)
	@test -n "$(VERSION)" || { echo "say which: make golden VERSION=0.2.0-schema2"; exit 2; }
	@.ci/needs postgres
	QUIZHALL_GOLDEN=crates/server/tests/golden/$(VERSION) $(CARGO) test $(LOCKED) -p quizhall --test it golden::databases_for_later_versions_are_made

recorded: ## Rewrite the recordings of what clients see (crates/server/tests/it/recorded)
	QUIZHALL_RECORD=1 $(CARGO) test --workspace $(LOCKED) --test it -- recorded::

powercut: ## Cut the power of a server's disk CUTS times while syncs fail, and look for a lost answer
	QUIZHALL_POWER_CUTS=$(CUTS) $(CARGO) test --release $(LOCKED) --features small-bundles -p quizhall --test it powercut -- --nocapture

autobahn: ## Play Autobahn's test suite for WebSockets against parser, limits, reader and writer; PYTHON2 names a Python 2.7 with pip
	PYTHON2="$(PYTHON2)" CARGO="$(CARGO)" .ci/autobahn

chaos: ## Kill, stop and disconnect every part of a cluster, ROUNDS times each, and a node with MANY games, dead and drained, and look for a lost answer
	@.ci/needs postgres redis-server
	QUIZHALL_QUIET_MACHINE=1 CHAOS_ROUNDS=$(ROUNDS) QUIZHALL_GAMES=$(MANY) $(CARGO) test --release $(LOCKED) --features small-bundles -p quizhall --test it cluster:: -- --nocapture --test-threads 1

three-hosts: ## Pull the cable of one of three hosts (network namespaces) behind HAProxy and behind nginx, and look for a lost answer; needs root
	$(CARGO) build --release $(LOCKED) --bin quizhall --bin quizhall-load
	.ci/three-hosts haproxy
	UNPLUGGED=30 .ci/three-hosts nginx

bench-100k: ## One game of 100,000 (or PLAYERS=) over six processes (NODES=), PostgreSQL and Redis, measured and checked
	@.ci/needs postgres redis-server
	$(CARGO) build $(DIST)
	@.ci/bench-100k

million: PLAYERS = 1000000
million: ## One game of PLAYERS over an owner, an edge with PHONES sockets and GHOSTS ghost nodes, answered within OVER_MS; compares log and books
	@.ci/needs postgres redis-server
	QUIZHALL_MILLION=$(PLAYERS) QUIZHALL_GHOSTS=$(GHOSTS) QUIZHALL_PHONES=$(PHONES) QUIZHALL_TEXTS=$(TEXTS) QUIZHALL_OVER_MS=$(OVER_MS) \
		$(CARGO) test --release $(LOCKED) --features jemalloc -p quizhall --test it million:: -- --nocapture

bench-many: ## MANY_GAMES small games over three nodes with PostgreSQL and Redis, and over one with SQLite, PASSES times by turns
	@.ci/needs postgres redis-server
	$(CARGO) build $(DIST)
	@GAMES=$(MANY_GAMES) PASSES=$(PASSES) .ci/bench-many

sim: ## Run SEEDS seeds of the simulation, the rules on every sequence of nine commands, and the random cases of the pages TIMES as often
	QUIZHALL_LONGEST_WORD=9 $(CARGO) test --release $(LOCKED) -p quizhall-rules-tests --test it words:: -- --nocapture
	QUIZHALL_SIM_SEEDS=$(SEEDS) $(CARGO) test --release $(LOCKED) -p quizhall-engine-tests --test it every_seed_keeps_the_promises -- --nocapture
	QUIZHALL_TIMES=$(TIMES) .ci/web random

proofs: ## Check GAMES random sealed games with both verifiers, look for one of MUTATIONS changed files that is not refused, and read strange values for PROOF_SECONDS
	PROOF_GAMES=$(GAMES) PROOF_MUTATIONS=$(MUTATIONS) $(CARGO) test --release $(LOCKED) -p quizhall --test it sealed:: -- --nocapture

microbench: ## Time rules, rendering, decoding and replay with criterion; compares with the previous run
	$(CARGO) bench $(LOCKED) -p quizhall-bench --bench micro

bench-loops: ## Time the loops of owner and follower over the answers of 1,000,000 players, one by one and as bundles
	$(CARGO) bench $(LOCKED) -p quizhall-bench --bench loops

instructions: ## Count the instructions of a fixed game; fails at more than 4 % above the stored number
	@echo "==> instructions of a fixed game"
	@.ci/instructions

bench: ## Measure the release build against the baseline, PASSES times, and print the table of targets (10 minutes)
	$(CARGO) build $(DIST)
	target/dist/quizhall-load bench --passes $(PASSES) --baseline --json target/bench/bench.json \
		lobby question burst release reconnect stalled many-games restart

soak: ## Play games of 1,000 players for SOAK seconds, and check what the service keeps
	$(CARGO) build $(DIST)
	target/dist/quizhall-load bench soak --players 1000 --soak $(SOAK)

preload: ## Let 2,000 players load pictures ahead, and measure the share shown within 300 ms of the release
	$(CARGO) build --release $(LOCKED) --bin quizhall --bin quizhall-load
	target/release/quizhall-load bench preload --players 2000

phones: ## Count the bytes that a phone receives among 2,000: before the first question, and of a released round
	$(CARGO) build --release $(LOCKED) --bin quizhall --bin quizhall-load
	target/release/quizhall-load bench phones --players 2000

evening: ## Play a full game with PLAYERS bots against a fresh server and check every message, then a small one with timers and pictures, and one of teams
	$(CARGO) build --release $(LOCKED) --bin quizhall --bin quizhall-load
	.ci/with-server target/release/quizhall-load evening --players $(PLAYERS)
	.ci/with-server target/release/quizhall-load evening --players 200 --timers --media
	.ci/with-server target/release/quizhall-load evening --teams 100 --devices 4

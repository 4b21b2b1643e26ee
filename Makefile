# Holdfast: the commands of a developer. `make help` lists them.

SWIFT ?= swift
# All symbols are resolved at the start and stay read-only; libraries are not looked for beside the program; the C library's
# calls in our headers are checked.
HARDENING = --disable-local-rpath -Xlinker -z -Xlinker now -Xcc -D_FORTIFY_SOURCE=2
# lld packs relocations: 1.5 MB less.
LINKER = -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
RELEASE = DEVELOPMENT_BUILD=release .ci/build -c release --jobs 3 --static-swift-stdlib $(HARDENING) $(LINKER) -Xswiftc -disable-cmo -Xswiftc -gline-tables-only
MEASUREMENT = HOLDFAST_MEASUREMENTS=yes $(RELEASE)
# Measures with the subcommand that has the target's name; then the same with the program, and what its tests need.
MEASURE = $(MEASUREMENT) --product measure && .build/release/measure $@
MEASURE_HOLDFAST = .ci/install test && $(RELEASE) --product holdfast && $(MEASURE)
# The one debug build that the demo, the tests and the tools share.
DEBUG = DEVELOPMENT_BUILD=debug .ci/build --jobs 3 --disable-index-store
TEST = DEVELOPMENT_BUILD=debug .ci/test --jobs 3 --disable-index-store --disable-xctest --enable-swift-testing
# The suites of LongTests; with PART, those of one part.
LONG = $(shell sed -n 's/^    \["\(.*\)"\],$$/\1/p' Tests/Support/Traits/LongTests.swift | sed -n '$(if $(PART),$(shell expr $(PART) + 1)p,p)' | sed 's/", "/|/g' | paste -sd'|')
# What .ci/test prints as the command that runs some tests again.
export AGAIN = $(strip make $@ $(foreach name,SIMULATED_DAYS LIVES,$(if $($(name)),$(name)=$($(name)))))

.PHONY: help demo page build tools test test-long check lint format bench bench-recovery bench-recording bench-relay bench-mixer bench-rtmp bench-session bench-publishes bench-control bench-hub bench-live bench-tiles soak soak-interruptions soak-crashes soak-sources soak-power verify-lives verify-servers test-attack test-session test-evening fleet simulate simulate-sessions fuzz fuzz-short test-devices test-page test-samples test-sanitize docs clean fuzz-recordings test-unit bench-control-attack

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 20

demo: ## install what is missing, build, publish and record 10 seconds, with an interruption
	@.ci/install build
	@$(DEBUG) --product holdfast
	@.build/debug/holdfast demo
	@echo "This was the debug build; make build makes the program for use, .build/release/holdfast."

build: ## build the program for use: .build/release/holdfast, with its symbols in holdfast.debug
	@.ci/install build
	@$(RELEASE) --product holdfast
	@.ci/split-symbols .build/release/holdfast

test: ## install what the tests need, and run all of them but those of test-long; ONLY=PublishingTests runs some
	@.ci/install test
	@$(TEST)

test-long: ## run what takes minutes and finds little more: weak networks, faults of servers, hostile sources, many random lives; PART=0 to 9 for a tenth
	@.ci/install test
	@LONG_TESTS=$(or $(PART),yes) REAL_TIME_TESTS=2 $(TEST) --filter '[.]($(or $(LONG),$(error PART is a number from 0 to 9)))/'

check: ## run all that has to pass before a change lands: what CI runs, and the samples
	@.ci/run
	@$(MAKE) test-samples

lint: ## check the format of the sources
	@$(SWIFT) format lint --strict --recursive Sources Tests samples Package.swift

format: ## put the sources into their format
	@$(SWIFT) format --in-place --recursive Sources Tests samples Package.swift

bench: ## measure the program beside the ffmpeg command, RUNS=3 times each; JOB=N for one of the jobs
	@$(MEASURE_HOLDFAST) $(or $(RUNS),3) $(JOB)

bench-recovery: ## measure what faults of a server do to the program, and to the ffmpeg command beside it
	@$(MEASURE_HOLDFAST)

bench-recording: ## measure what recording costs, beside ffmpeg's fragmented MP4, and a recording of 12 hours
	@$(MEASURE_HOLDFAST)

bench-relay: ## measure what a relay costs that copies a camera to a server and a recording, beside ffmpeg
	@.ci/install test
	@$(RELEASE) --product holdfast
	@Tests/Benchmarks/Relay/bench-relay $(RUNS)

bench-mixer: ## measure a programme of four streams beside ffmpeg's xstack and amix, RUNS=3 times, and tiles that misbehave
	@.ci/install test
	@$(RELEASE) --product holdfast
	@Tests/Benchmarks/Mixer/bench-mixer $(RUNS)

bench-rtmp: ## measure how fast RTMP's messages are written and read in memory
	@.ci/install build
	@$(MEASURE)

test-session: ## put five boxes into one session, and kill hubs, a box and the store under them (4 minutes)
	@$(MEASURE_HOLDFAST)

test-evening: ## one whole event in small, with two hosts in browsers, whose story goes into .build/evening (90 seconds)
	@.ci/install test
	@$(RELEASE) --product holdfast
	@Tests/Page/evening .build/release/holdfast .build/evening

bench-session: ## measure how late a session of limited time ends, and what a gate costs
	@$(MEASURE_HOLDFAST)

bench-publishes: ## measure many publishes of one file at once, beside as many ffmpegs
	@.ci/install test
	@$(RELEASE) --product holdfast
	@Tests/Benchmarks/bench-publishes

bench-control: ## put a load on the control API while a broadcast is live, for SECONDS=60
	@$(MEASURE_HOLDFAST) $(or $(SECONDS),60)

bench-hub: ## measure a hub with ten thousand members for SECONDS=60; RUN=1 with Redis alone, 2 with TLS, 3 with SQLite; SESSIONS=1000
	@$(MEASURE_HOLDFAST) $(or $(SECONDS),60) $(or $(RUN),4) $(or $(SESSIONS),1000)

bench-live: ## watch a broadcast live in a browser for SECONDS=60: how late it is, and what 50 viewers cost
	@.ci/install test
	@$(RELEASE) --product holdfast
	@$(MEASUREMENT) --product measure
	@Tests/Benchmarks/Live/bench-live $(or $(SECONDS),60)

bench-tiles: ## watch twelve boxes in one page of their session for SECONDS=120: how late they are, and what they cost
	@.ci/install test
	@$(RELEASE) --product holdfast
	@Tests/Benchmarks/Live/bench-tiles $(or $(SECONDS),120)

tools: ## build the program that measures, with the tests, so that it is not left behind by a change
	@.ci/install test
	@HOLDFAST_MEASUREMENTS=yes $(DEBUG) --build-tests

test-attack: ## publish to hostile servers for SECONDS=60 each; memory, recording and other outputs have to hold
	@$(MEASURE_HOLDFAST) $(or $(SECONDS),60) $(PEERS)

bench-control-attack: ## measure how a host is served over TLS while strangers flood the control API, for SECONDS=30
	@$(MEASURE_HOLDFAST) $(or $(SECONDS),30)

soak: ## break everything around a broadcast for MINUTES=65, and compare what is missing with what it says
	@$(MEASURE_HOLDFAST) $(or $(MINUTES),65) $(SEED)

soak-interruptions: ## interrupt a broadcast a hundred times, check what that left, measure how fast it was
	@$(MEASURE_HOLDFAST)

soak-crashes: ## kill a broadcast KILLS=200 times, and see what each kill costs
	@$(MEASURE_HOLDFAST) $(or $(KILLS),200) $(SEED)

soak-sources: ## take network sources away, an RTSP camera PULLS=20 times, and compare what is missing with what it says
	@$(MEASURE_HOLDFAST) $(or $(PULLS),20) $(SEED)

soak-power: ## as root: cut the power of recording disks CUTS=510 times, for MINUTES=60, and see what each cut costs; RESULTS=FILE continues an earlier run
	@.ci/install power
	@$(RELEASE) --product holdfast
	@$(MEASURE) $(or $(MINUTES),60) $(or $(CUTS),510) $(SEED)

verify-lives: ## check the recordings of LIVES=1000 simulated broadcasts
	@.ci/install test
	@LIVES=$(or $(LIVES),1000) $(TEST) --filter LivesTests

verify-servers: ## check what servers with the habits of others get: JOINTS=20 in order, and FAULTS=10 of each kind
	@$(MEASURE_HOLDFAST) $(or $(JOINTS),20) $(or $(FAULTS),10)

fleet: ## show how ten thousand broadcasters come back to one server, and draw docs/fleet.svg
	@.ci/install build
	@$(MEASURE) docs/fleet.svg

simulate: ## replay simulated days: SEED=7 tells that day in full, DAYS=10000 tries as many from there on
	@.ci/install build
	@$(MEASURE) $(or $(SEED),0) $(or $(DAYS),1)

simulate-sessions: ## run SESSIONS=3 with BOXES=12 and three hubs for MINUTES=10 (or HOURS) of virtual time, RUNS=1 times from SEED=0 on; MUTANT=name puts a fault in
	@.ci/install build
	@$(MEASURE) $(or $(SEED),0) $(if $(HOURS),$$(($(HOURS) * 60)),$(or $(MINUTES),10)) $(or $(SESSIONS),3) $(or $(BOXES),12) $(or $(RUNS),1) $(MUTANT)

fuzz: ## send 50 million inputs through each side of each protocol
	@.ci/install build
	@Tests/Fuzz/fuzz --fast --executions 50000000

fuzz-short: ## the same for 30 seconds, with the address sanitizer
	@.ci/install build
	@Tests/Fuzz/fuzz --seconds 30

fuzz-recordings: ## send COUNT=20000 mutated recordings through verify, repair and export; SEED=7 repeats them
	@$(MEASURE_HOLDFAST) $(or $(COUNT),20000) $(SEED)

test-devices: ## run the tests with a real camera and a real sound card, in a virtual machine
	@.ci/install devices
	@$(RELEASE) --product holdfast
	@Tests/Devices/test-devices

test-unit: ## run the systemd unit of samples/ under systemd, with a camera and a sound card, in a virtual machine
	@.ci/install devices
	@$(RELEASE) --product holdfast
	@Tests/Devices/test-unit

test-page: ## use both pages with a browser, that of a session with a real hub, too; pictures of them go into .build/page
	@.ci/install test pypi
	@$(RELEASE) --product holdfast
	@Tests/Page/page-checks .build/page --holdfast .build/release/holdfast

page: ## show both pages in every scripted state, at the address that it prints
	@.ci/install test
	@Tests/Page/fake_hub.py

test-samples: ## build and run the package in samples/swift, which uses the libraries Holdfast and HoldfastTesting
	@.ci/install test
	@$(SWIFT) build --package-path samples/swift --build-tests
	@$(SWIFT) run --package-path samples/swift --skip-build gated
	@$(SWIFT) run --package-path samples/swift --skip-build drawn
	@$(SWIFT) run --package-path samples/swift --skip-build steered
	@$(SWIFT) test --package-path samples/swift --skip-build

test-sanitize: ## run the tests under the thread and the address sanitizer
	@.ci/install test
	@SIMULATED_DAYS=20 REAL_TIME_TESTS=2 TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/races-not-ours.txt:print_suppressions=0 \
	  $(TEST) --sanitize=thread --scratch-path .build/thread
	@SIMULATED_DAYS=20 REAL_TIME_TESTS=2 ASAN_OPTIONS=suppressions=$(CURDIR)/Tests/overflows-not-ours.txt LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks-not-ours.txt:print_suppressions=0 \
	  $(TEST) --sanitize=address --scratch-path .build/address

docs: ## write the reference of both libraries into .build/docs
	@.ci/install build
	@.ci/docs

clean: ## remove what was built
	@$(SWIFT) package clean

# SPDX-License-Identifier: Apache-2.0
#
# A thin front: CMake does the work. `make help` lists the targets.

PRESET ?= release
PREFIX ?= /usr/local
# Tests run in parallel. Many of them start more threads than there are processors anyway.
TEST_JOBS ?= 2

BUILD := build/$(PRESET)

.DEFAULT_GOAL := build
.PHONY: help

# Two runs of make in one tree would use one build folder, and one would test files that the other
# replaces.
ifneq ($(TURN_IN_TREE),$(CURDIR))

GOALS := $(filter-out help,$(or $(MAKECMDGOALS),build))
.PHONY: $(GOALS)
$(GOALS):
	@scripts/in-turn $(MAKE) --no-print-directory $@

else

.PHONY: build demo lab check test first-hour test-slow install uninstall dist packages wheel-aarch64 test-numa test-packages format format-check lint lint-quick lint-changed sanitizers sanitize-command test-modes fuzz-translate fuzz-openmp test-translated-package inlined rivals rivals-translated test-aarch64 clean

build: ## build the library and the command into build/$(PRESET)
	@scripts/setup build
	@$(MAKE) --no-print-directory configure-and-build

# LD_PRELOAD takes a space or a colon as the end of a path, and there is no way to quote them.
refuse_space_or_colon = case "$(1)" in *[:\ ]*) \
	echo "$(1) has a space or a colon in its path: programs could not be run on Bobbin from there" >&2; \
	exit 1;; esac

# These targets show what users install, which is the release build.
refuse_other_preset = case "$(PRESET)" in release) ;; *) \
	echo "make $@ runs the release build, and has no use for PRESET=$(PRESET)" >&2; exit 1;; esac

# A Python environment contains its own path, so it cannot be made in one place for another.
refuse_staging = case "$(DESTDIR)" in ?*) \
	echo "DESTDIR wants LAB=no: the lab's Python environment cannot be moved to where it is used." \
	"There, BOBBIN_LAB_PYTHON names a Python that has what lab/requirements.txt lists" >&2; exit 1;; esac

# TESTS=ON: also what only tests need. Otherwise a build folder keeps what it has, and a new one goes
# without: users need no test programs, nor warnings about compilers that these would want.
TESTS := $(if $(wildcard $(BUILD)/CMakeCache.txt),,OFF)
# Empty: everything.
TARGETS :=

.PHONY: configure-and-build
configure-and-build:
	@cmake --preset $(PRESET) -Wno-dev $(if $(TESTS),-DBUILD_TESTING=$(TESTS)) >/dev/null
	@NINJA_STATUS="$$(scripts/ninja-status)" cmake --build $(BUILD) $(if $(TARGETS),--target $(TARGETS))

# The library, the command, and the programs of demo/scenes.py.
DEMO_TARGETS := bobbin_libraries bobbin_command $(addprefix bench/,region uts nested jacobi)

demo: ## show unmodified programs on libgomp and on Bobbin, side by side
	@$(refuse_other_preset)
	@$(call refuse_space_or_colon,$(CURDIR))
	@scripts/setup demo
	@echo "Building Bobbin, which takes a few minutes on two processors"
	@$(MAKE) --no-print-directory configure-and-build TARGETS="$(DEMO_TARGETS)"
	@demo/run

check: ## for every day, 10 minutes once built: format, lint of what changed, unit, model, omp by gcc
	@$(call refuse_space_or_colon,$(CURDIR))
	@scripts/setup test lint
	@scripts/format --check
	@$(MAKE) --no-print-directory lint-quick
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@scripts/lint $(BUILD) --changed
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS) --label-regex '^(unit|model|omp)$$' \
	  --label-exclude '^(llvm|reference|slow)$$'

test: ## build and run every test suite
	@$(call refuse_space_or_colon,$(CURDIR))
	@scripts/setup test
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS) --label-exclude 'reference|slow'

first-hour: ## what a new user does, from the clone on: every command of the documents that needs no more than this machine
	@scripts/setup lab
	@tests/cli/first_hour

test-slow: ## the tests that are slow and seldom fail: the omp programs on libgomp and libomp, bench/, whole runs of the lab, Open MPI
	@scripts/setup test
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS) --label-regex 'reference|slow'

.PHONY: picture site
picture: ## draw docs/performance.md's table of the demonstration into docs/figures/demo.svg
	@python3 -B -m demo.picture docs/performance.md docs/figures/demo.svg

site: ## the documents as a site in build/site, with every link checked
	@scripts/setup docs
	@scripts/site

lab: ## build, and set up the environment of `bobbin lab`
	@scripts/setup lab
	@$(MAKE) --no-print-directory configure-and-build

install: ## install under PREFIX; LAB=no leaves out the lab's Python environment (DESTDIR wants that)
	@$(call refuse_space_or_colon,$(PREFIX))
ifneq ($(LAB),no)
	@$(refuse_staging)
endif
	@scripts/setup build
	@LAB="$(LAB)" scripts/install $(BUILD) "$(abspath $(PREFIX))"

uninstall: ## remove what `make install` has put under PREFIX
	@scripts/uninstall "$(abspath $(PREFIX))"

dist: ## a source archive of the last commit, the same from every clone: build/bobbin-VERSION.tar.gz
	@scripts/dist build

packages: ## build wheels into build/wheels and, on Debian, packages into build/debian
	@scripts/setup packages
	@scripts/package-wheels
	@scripts/package-debian

wheel-aarch64: ## cross-build the wheel for AArch64 into build/wheels-aarch64, and try it under QEMU (Debian)
	@scripts/setup packages aarch64
	@scripts/package-wheel-aarch64

test-packages: ## install these packages where nothing else is, and use them; TORCH=yes: PyTorch, too
	@scripts/setup packages
	@scripts/test-wheels
	@scripts/test-debian
	@scripts/test-clang-packages
	@scripts/test-containers

format: ## format the C and C++ sources in place
	@scripts/setup lint
	@scripts/format

format-check: ## fail when formatting would change something
	@scripts/setup lint
	@scripts/format --check

lint-quick: ## check the layers; ruff, mypy
	@scripts/setup lint
	@scripts/layers
	@scripts/lint-python

lint-changed: ## clang-tidy over what has changed since origin/main, or in the last 20 commits (at most 3 minutes)
	@scripts/setup lint
	@$(MAKE) --no-print-directory configure-and-build
	@scripts/lint $(BUILD) --changed

lint: ## lint-quick; the ABI against its description; clang-tidy over the library, the instruments and the command (15 minutes)
	@$(MAKE) --no-print-directory lint-quick
	@$(MAKE) --no-print-directory configure-and-build
	@scripts/check-abi $(BUILD)
	@scripts/lint $(BUILD)

sanitizers: ## the tests that matter there under ASan, UBSan and TSan
	@scripts/setup test
	@scripts/check-sanitizers

sanitize-command: ## bobbin doctor's reading of damaged files under ASan and UBSan
	@scripts/setup test
	@scripts/check-sanitizers command

test-modes: ## the library without each optional mode of tasks, and the tests of the others (20 minutes)
	@scripts/setup test
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@scripts/test-modes $(BUILD)

fuzz-translate: ## random changes of programs for the translator, under ASan and UBSan (1 minute; SECONDS=)
	@scripts/setup test
	@scripts/fuzz-translate $(or $(SECONDS),60)

fuzz-openmp: ## random OpenMP programs: serial, by gcc, translated, and with POSIX threads (1 hour; SECONDS=, SEED=)
	@scripts/setup test
	@$(MAKE) --no-print-directory build
	@BOBBIN_BUILD=$(abspath $(BUILD)) BOBBIN_RANDOM_S=$(or $(SECONDS),3600) BOBBIN_RANDOM_SEED=$(or $(SEED),1) \
	  $(firstword $(wildcard build/venv/bin/python3) python3) -B -m pytest -q -p no:cacheprovider tests/cli/test_translate.py::test_random_programs

test-translated-package: ## Debian's GraphicsMagick by bobbin cc --translate, and its tests (Debian; 5 minutes, 15 MB)
	@scripts/setup build
	@$(MAKE) --no-print-directory build
	@scripts/test-translated-package

test-aarch64: ## cross-build for AArch64, and the tests under QEMU (Debian; downloads 100 MB)
	@scripts/setup test aarch64
	@scripts/test-aarch64

test-numa: ## a machine of 16 processors in 4 nodes under QEMU, on which thefts are counted (Debian)
	@scripts/setup test numa
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@scripts/test-numa

inlined: ## all OpenMP programs of the tests, built by bobbin cc, c++ and fc
	@scripts/setup test
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@scripts/test-inlined

rivals: ## the tests of libgomp, libomp and MPICH themselves, on Bobbin (fetches their sources, 270 MB)
	@scripts/setup test rivals
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@build/rivals/venv/bin/python -B tests/rivals --build $(BUILD)

rivals-translated: ## the tests of libgomp in C, by the translator (fetches their sources, 90 MB)
	@scripts/setup test rivals
	@$(MAKE) --no-print-directory configure-and-build TESTS=ON
	@build/rivals/venv/bin/python -B tests/rivals --build $(BUILD) translated

clean: ## remove everything built
	@rm -rf build

endif

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

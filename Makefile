# make                    builds the engine and puts it here as ./cassius
# make EXE=name           the same under another name (what OpenBench calls)
# make pgo                the same, built once more with the profile of a bench run: about 6 % faster;
#                         needs `rustup component add llvm-tools`, or LLVM_PROFDATA=path
# make test lint clean

EXE ?= cassius
CARGO ?= cargo
CARGO_TARGET_DIR ?= target
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
BINARY := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

PROFILE := $(CARGO_TARGET_DIR)/pgo
LLVM_PROFDATA ?= $(firstword $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata*))
# As in .cargo/config.toml, which RUSTFLAGS replaces.
TUNE ?= -Ctarget-cpu=native

.PHONY: engine pgo test lint clean

engine:
	$(CARGO) build --release --locked --package cassius --target-dir "$(CARGO_TARGET_DIR)"
	cp "$(CARGO_TARGET_DIR)/release/cassius$(SUFFIX)" "$(BINARY)"

pgo:
	@test -n "$(LLVM_PROFDATA)" || { echo "make pgo: no llvm-profdata; run 'rustup component add llvm-tools'" >&2; exit 1; }
	rm -rf "$(PROFILE)"
	RUSTFLAGS="$(TUNE) -Cprofile-generate=$(abspath $(PROFILE))" \
		$(CARGO) build --release --locked --package cassius --target-dir "$(PROFILE)/make"
	"$(PROFILE)/make/release/cassius$(SUFFIX)" bench >/dev/null
	"$(LLVM_PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)"/*.profraw
	RUSTFLAGS="$(TUNE) -Cprofile-use=$(abspath $(PROFILE))/merged.profdata" \
		$(CARGO) build --release --locked --package cassius --target-dir "$(PROFILE)/use"
	cp "$(PROFILE)/use/release/cassius$(SUFFIX)" "$(BINARY)"

test:
	.ci/test

lint:
	.ci/lint

clean:
	$(CARGO) clean --target-dir "$(CARGO_TARGET_DIR)"
	rm -f "$(BINARY)"

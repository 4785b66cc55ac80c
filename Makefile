# make                    builds the engine and puts it here as ./cassius
# make EXE=name           the same under another name (what OpenBench calls)
# make test lint clean

EXE ?= cassius
CARGO ?= cargo
CARGO_TARGET_DIR ?= target
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
BINARY := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

.PHONY: engine test lint clean

engine:
	$(CARGO) build --release --locked --package cassius --target-dir "$(CARGO_TARGET_DIR)"
	cp "$(CARGO_TARGET_DIR)/release/cassius$(SUFFIX)" "$(BINARY)"

test:
	.ci/test

lint:
	.ci/lint

clean:
	$(CARGO) clean --target-dir "$(CARGO_TARGET_DIR)"
	rm -f "$(BINARY)"

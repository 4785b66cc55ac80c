# make                    builds the engine and puts it here as ./cassius
# make EXE=name           the same under another name (what OpenBench calls)
# make EVALFILE=my.net    the same with another network built in
# make profiled           a fourteenth faster: built twice, the second time with a profile of the first
# make refit RATED=a.pgn  fits anew what depends on the evaluation: the chances of a win, a draw and a
#                         loss; the levels (against RIVAL, an engine with rated levels); the model of what
#                         a human would play (from RATED, files of rated games); the pages of results.
#                         It takes a day, and goes on where it was interrupted.
# make test lint clean

EXE ?= cassius
CARGO ?= cargo
CARGO_TARGET_DIR ?= target
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
BINARY := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

RIVAL ?= stockfish
JOBS ?= 2
# The folder of games and findings. Those of another evaluation, or unfinished ones of another search, must be
# moved away first.
FITS ?= data/refit
# The experiments whose figures depend on the built-in evaluation.
PAGES ?= known-positions level-errors human-error human-moves ablation

# An absolute path, since the network is compiled in another folder. Without one nothing is compiled anew.
ifneq ($(EVALFILE),)
override export EVALFILE := $(abspath $(EVALFILE))
endif

.PHONY: engine profiled refit test lint clean

engine:
	$(CARGO) build --release --locked --package cassius --target-dir "$(CARGO_TARGET_DIR)"
	cp "$(CARGO_TARGET_DIR)/release/cassius$(SUFFIX)" "$(BINARY)"

PROFILE := $(abspath $(CARGO_TARGET_DIR))/cassius.profdata

profiled:
	packaging/profile "$(PROFILE)"
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PROFILE)" $(MAKE) engine

refit: engine
	$(if $(RATED),,$(error RATED must name files of rated games: make refit RATED="a.pgn b.pgn"))
	"./$(BINARY)" lab selfplay --out $(FITS)/odds --nodes 20k --hash 8 --games 2000 --jobs $(JOBS)
	"./$(BINARY)" lab odds $(FITS)/odds/games.viri --write crates/chess/src/odds.txt
	"./$(BINARY)" lab levels --engine "$(RIVAL)" --jobs $(JOBS) --out $(FITS)/levels.jsonl \
		--write crates/chess/src/levels.txt
	"./$(BINARY)" lab human $(RATED) --deeper 200k --jobs $(JOBS) --kept $(FITS)/human.jsonl \
		--write crates/insight/src/human.txt
	$(MAKE) engine
	"./$(BINARY)" lab run $(PAGES) $(addprefix --pgn ,$(RATED)) --jobs $(JOBS) --out results

test:
	.ci/test

lint:
	.ci/lint

clean:
	$(CARGO) clean --target-dir "$(CARGO_TARGET_DIR)"
	rm -f "$(BINARY)"

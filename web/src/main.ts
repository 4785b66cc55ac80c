// The page in a browser: an analysis board that explains, on the player's own machine.

import init, { extended, place as placeOf, read, written } from "../pkg/cassius_page.js";
import wasm from "../pkg/cassius_page_bg.wasm?url";
import "../../crates/insight/src/html/page.css";
import { mount, type Game, type Place, type View, type Worth } from "../../crates/insight/src/html/page.js";
import { board as makeBoard, type Rules } from "./board";
import {
  search as makeSearch, searcher, type Answer, type Explained, type ExplainedSide, type Task,
} from "./search";
import "./app.css";

interface Brought { pgn: string; page: Game }
/** See `cassius_page::read`. */
interface Read { games: Brought[]; wrong: string[]; note: string | null }
/** An explained position, or what there is to say instead. */
type Told = { page?: Explained; text?: string };

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

// What a user may set, kept in this browser.
const settings = {
  elo: 1500,
  nodes: 1_000_000,
  gameNodes: 150_000,
  places: Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1)),
};
type Setting = keyof typeof settings;
const LIMITS: [Setting, number, number][] = [
  ["elo", 400, 3000], ["nodes", 200_000, 25_000_000], ["gameNodes", 30_000, 1_000_000], ["places", 1, 64],
];
// Other pages of the same origin may have settings, too.
const KEPT = "cassius.settings";
try {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  for (const [name, least, most] of LIMITS) {
    const value = kept[name];
    if (Number.isInteger(value) && value >= least && value <= most) settings[name] = value;
  }
} catch { /* a browser that does not remember */ }

await init({ module_or_path: wasm });
const searching = makeSearch(settings.places);

let brought: Brought[] = [JSON.parse(written("startpos", []))];
/** Whether there are annotations that were not saved, and how many games could not be read. */
let unsaved = false;
let missing = 0;
/** Explanations, by position and effort. */
const told = new Map<string, Told>();
/** The position that is being explained, and the games that are being annotated. */
let asking: { of: string; task: Task } | null = null;
let annotating: Task[] | null = null;
let view: View;

// The place that is shown.

const moves = ({ from, before }: Place) => {
  const played = brought[view.at().index].page.moves.slice(0, from);
  return [...played, ...before].map(({ san }) => san);
};
const start = () => brought[view.at().index].page.start;
const rules = (): Rules => JSON.parse(placeOf(start(), moves(view.place())));
/** By what an explanation is known: the position, and how it is searched. */
const keyOf = (played: string[]) => [start(), ...played, settings.nodes, settings.elo].join(" ");
const key = () => keyOf(moves(view.place()));

/** Keeps the place in the address, so that a link carries it. */
const keep = () => {
  const parts = new URLSearchParams();
  if (!start().startsWith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq")) parts.set("fen", start());
  const played = moves(view.place());
  if (played.length > 0) parts.set("moves", played.join(" "));
  history.replaceState(null, "", parts.size > 0 ? `#${parts}` : location.pathname + location.search);
};

/** Opens the position of the address, if it names one. */
const follow = () => {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [fen, played] = [parts.get("fen"), parts.get("moves")];
  if (fen === null && played === null) return;
  try {
    const game: Brought = JSON.parse(written(fen ?? "startpos", played ? played.split(" ") : []));
    if (!mayLose()) { keep(); return; }
    open([game], game.page.moves.length);
  } catch (error) {
    say(`The address names no position: ${(error as Error).message}`);
  }
};

// Games.

const open = (games: Brought[], at = 0) => {
  stop();
  brought = games;
  unsaved = false;
  missing = 0;
  view.open(games.map(({ page }) => page), at);
};

/** Whether annotations would be lost. */
const isUnsaved = () => unsaved || annotating !== null;
/** Asks before annotations are lost. */
const mayLose = () =>
  !isUnsaved() || confirm("The annotations are not saved. Open something else, and lose them?");

/** The largest file that is read, in bytes: some thousand games. What is shown of them takes far more. */
const LARGEST = 5_000_000;
const refuseAbove = (size: number) => {
  if (size <= LARGEST) return;
  throw new Error("more than 5 MB are too much for a page. The program takes any number of games: "
    + "cassius annotate.");
};

/** A text that a user brings, and the name of its file. */
type Text = [name: string, text: string];
/** Opens what a user drops or pastes. Returns whether there was something to open. */
const bring = (texts: Text[]) => {
  try {
    refuseAbove(texts.reduce((sum, [, text]) => sum + text.length, 0));
    return opened(texts);
  } catch (error) {
    say(`Not read: ${(error as Error).message}`);
    return false;
  }
};
const bringFiles = async (files: File[]) => {
  try {
    refuseAbove(files.reduce((sum, { size }) => sum + size, 0));
    const text = async (file: File): Promise<Text> => [file.name, decoded(await file.arrayBuffer())];
    bring(await Promise.all(files.map(text)));
  } catch (error) {
    say(`Not read: ${(error as Error).message}`);
  }
};
/** Games that are not in UTF-8 are in Latin-1, as their standard says, or in what Windows made of it. */
const decoded = (bytes: ArrayBuffer) => {
  try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); }
  catch { return new TextDecoder("windows-1252").decode(bytes); }
};
const opened = (texts: Text[]) => {
  const all = texts.map(([name, text]): Read => {
    const { games, wrong, note }: Read = JSON.parse(read(text));
    const named = (what: string) => (texts.length > 1 ? `${name}: ${what}` : what);
    return { games, wrong: wrong.map(named), note: note && named(note) };
  });
  const [games, wrong] = [all.flatMap((of) => of.games), all.flatMap((of) => of.wrong)];
  const more = wrong.length > 1 ? ` And ${wrong.length - 1} more could not be read.` : "";
  const notes = all.map(({ note }) => note ?? "");
  const parts = [wrong.length > 0 ? `Not read: ${wrong[0]}${more}` : "", ...notes];
  if (games.length > 0) {
    if (!mayLose()) { say("Nothing was opened."); return true; }
    if (asking || annotating) parts.unshift("Stopped.");
    open(games);
    missing = wrong.length;
  }
  tell(parts);
  return games.length > 0;
};

/** A game with one more move. What is known of the others stays. */
const longer = ({ pgn, page }: Brought, san: string): Brought => {
  const more: Brought = JSON.parse(extended(pgn, san));
  return { pgn: more.pgn, page: { ...page, ...more.page, moves: [...page.moves, more.page.moves.at(-1)!] } };
};

/** Annotates every game that is open. Positions can be explained meanwhile. */
const annotate = () => {
  const previous = annotating ?? [];
  annotating = null;
  end(previous);
  const begun = performance.now();
  const left = new Map<number, { left: number; of: number }>();
  let failed = "";
  const report = () => {
    const sum = (of: "left" | "of") => [...left.values()].reduce((sum, each) => sum + each[of], 0);
    progress(sum("of") - sum("left"), sum("of"));
  };
  const own = brought.map(({ pgn, page }, index) => {
    left.set(index, { left: 2 * page.moves.length + 2, of: 2 * page.moves.length + 2 });
    const question = { annotate: { pgn, nodes: settings.gameNodes } };
    return searching.ask(question, (answer: Answer) => {
      if (answer.move) view.fill(index, answer.move.page, answer.move.at);
      if (answer.game) {
        const { pgn, page } = answer.game;
        const meanwhile = brought[index].page.moves.slice(page.moves.length);
        brought[index] = meanwhile.reduce((game, { san }) => longer(game, san), { pgn, page } as Brought);
        view.fill(index, brought[index].page);
        unsaved = true;
      }
      if (answer.wrong) failed = answer.wrong.text;
      const now = answer.move ?? answer.left;
      left.set(index, now ?? { left: 0, of: left.get(index)!.of });
      report();
    });
  });
  annotating = own;
  report();
  void Promise.all(own.map(({ done }) => done)).then(() => {
    if (annotating !== own) return;
    annotating = null;
    if (asking) progress();
    say(failed || `Annotated in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    drawTools();
  });
  drawTools();
};

// Explanations.

const explain = () => {
  const of = key();
  if (told.has(of) || asking?.of === of) return;
  asking?.task.stop();
  say(asking ? "The explanation before was stopped." : "");
  const question = { explain: { start: start(), moves: moves(view.place()), nodes: settings.nodes,
    elo: settings.elo } };
  const task = searching.ask(question, (answer) => {
    if (answer.explained) told.set(of, { page: answer.explained.page });
    if (answer.over) told.set(of, { text: answer.over.text });
    if (answer.wrong) say(answer.wrong.text);
  });
  const own = (asking = { of, task });
  void task.done.then(() => {
    if (asking === own) {
      asking = null;
      if (told.has(of) && key() !== of) say("The position that you asked about is explained.");
    }
    drawExplanation();
    drawTools();
  });
  if (!annotating) progress();
  drawTools();
  drawExplanation();
};

/** What is known of a side. What the headline says already is not said again. */
const side = (explained: ExplainedSide, place: Place, value: Worth, told: boolean) => {
  const { make, percent, text, rowsOf, sideOf } = view;
  const { white, care, asked, error, errors, tempting, lost, run, run_may_go_on } = explained;
  const chance = errors ? errors.map(percent).join(" to ") : error !== null ? percent(error) : "";
  const by = tempting ? ` (${percent(tempting[1])} by ${tempting[0]})` : "";
  const err = chance && !lost ? ` Of players rated ${settings.elo}, ${chance} err here${by}.` : "";
  const inARow = run.length > 1
    ? ` ${sideOf(white)} has to find ${run.length}${run_may_go_on ? " or more" : ""} only moves in a row: `
      + `${run.join(", ")}.`
    : "";
  return [
    text(told ? "" : `care ${care}`, make("b", {}, told ? "" : asked),
      make("span", { class: "soft" }, told ? `${err}${inARow}`.trimStart() : `${err}${inARow}`)),
    make("div", { class: "rows" }, ...rowsOf(explained, place, value)),
  ];
};

/** The explanation that is shown. In a line it is that of where the line began, until there is another. */
let shown = "";

const lineIs = Object.assign(document.createElement("span"), { textContent: "Line: " });
/** Fills a place with nodes. Those that are there already stay: one of them may have the focus. */
const put = (place: HTMLElement, nodes: Node[]) => {
  const there = [...place.childNodes];
  const same = nodes.length === there.length && nodes.every((node, index) => node === there[index]);
  if (!same) place.replaceChildren(...nodes);
};

/** The place on the board or before it in the line that is explained, the last one first. */
const explainedPlace = (): Place | undefined => {
  const { from, before } = view.place();
  const first = view.at().elsewhere ? 0 : before.length;
  for (let count = before.length; count >= first; count--) {
    const place = { from, before: before.slice(0, count) };
    if (told.get(keyOf(moves(place)))?.page) return place;
  }
  return undefined;
};

const drawExplanation = () => {
  const { names, sideOf } = view;
  const main = document.querySelector("main")!;
  main.classList.toggle("elsewhere", view.at().elsewhere);
  // Where there is room beside the board, and nothing else there, it is read beside the board.
  const wide = main.classList.contains("plain") && matchMedia("(min-width: 70.01rem)").matches;
  const following = wide ? $("welcome") : $("details");
  if (following.previousElementSibling !== $("explanation")) following.before($("explanation"));
  const known = told.get(key());
  const here = explainedPlace();
  const now = here ? keyOf(moves(here)) : "";
  const { white, over, claim } = rules();
  const searching = "Trying every legal move …";
  const turn = over ? `The game is over: ${over}.` : `${sideOf(white)} to move.`;
  // What is explained may be a position before the one on the board.
  const earlier = () => {
    const [{ from, before }, at] = [view.place(), here!.before.length];
    return `Of the position before ${names(from, before, at)[at]}:`;
  };
  const about = [
    asking?.of === key() ? searching : known?.text ?? (known ? "" : turn),
    claim ? `A draw can be claimed: ${claim}.` : "",
    here && !known?.page ? earlier() : "",
  ].filter((part) => part).join(" ");
  $("hint").textContent = about;
  $("hint").hidden = about === "";
  if (known?.page) view.value(known.page.value);
  if (now !== shown) {
    shown = now;
    $("known").replaceChildren(...(here ? explanation(told.get(now)!.page!, here) : []));
  }
  // At last: the line may have been one of the explanation before. One of this explanation is shown there,
  // but not what led to the position that is explained.
  const line = view.own();
  const led = here && line.length === 0 ? names(here.from, here.before).join(" ") : "";
  put($("line"), line.length > 0 || led ? [lineIs, ...line, ...(led ? [new Text(led)] : [])] : []);
};

/** What is known of a position. */
const explanation = (of: Explained, here: Place) => {
  const { make, minus, percent, sideOf, step, text } = view;
  const { headline, outlook, value, sides: [own, other], safety, nodes, iteration } = of;
  const [best] = own.best.moves;
  const then = { from: here.from, before: [...here.before, ...(best ? [step(best)] : [])] };
  const depth = (side: string, of: number | null) =>
    (of === null ? `${side} had nothing to keep` : `${side}'s was followed ${of.toFixed(2)} moves deep`);
  return [
    text(`headline care ${own.care}`, make("b", {}, headline), " ", make("span", { class: "soft" },
      `${sideOf(own.white)} to move; ${minus(value.text ?? "")}, White ${percent(value.chance)}`)),
    ...(outlook ? [text("soft", outlook)] : []),
    ...side(own, here, value, true),
    ...(other && best
      ? [make("h2", {}, `Then, after ${step(best).san}`), ...side(other, then, value, false)]
      : []),
    text("soft small", `Plans that keep the value: ${depth("White", safety.white)}, `
      + `${depth("Black", safety.black)}. ${nodes.toLocaleString("en")} nodes, ${iteration} plies.`),
  ];
};

// Progress and tools.

const progress = (done?: number, of?: number) => {
  const bar = $<HTMLProgressElement>("progress");
  if (done === undefined || of === undefined) bar.removeAttribute("value");
  else { bar.max = of; bar.value = done; }
  bar.title = done === undefined ? "" : `${done} of ${of} steps`;
};
const say = (text: string) => { $("said").textContent = text; };
const tell = (parts: string[]) => say(parts.filter((part) => part).join(" "));
/** Ends tasks, the last first: a game that waits would begin as soon as one that is searched ends. */
const end = (tasks: Task[]) => { for (const each of tasks.reverse()) each.stop(); };
/** Ends what is being searched. What is known stays. */
const stop = () => {
  if (!asking && !annotating) return;
  const tasks = [...(annotating ?? []), ...(asking ? [asking.task] : [])];
  asking = annotating = null;
  end(tasks);
  say("Stopped.");
  drawExplanation();
  drawTools();
};
const drawTools = () => {
  const stopped = document.activeElement === $("stop") && !asking && !annotating;
  for (const id of ["stop", "progress"]) $(id).hidden = !asking && !annotating;
  // The focus would be lost with a button that is hidden.
  if (stopped) $("explain").focus();
  const several = brought.length > 1 ? `${brought.length} games` : "the game";
  $("annotate").textContent = `Annotate ${several}`;
  const nothing = brought.every(({ page }) => page.moves.length === 0);
  $<HTMLButtonElement>("annotate").disabled = nothing;
  $<HTMLButtonElement>("save").disabled = nothing;
  // Not `disabled`: the focus would be lost.
  $("explain").setAttribute("aria-disabled", String(told.has(key()) || asking?.of === key()));
  $("welcome").hidden = !nothing || told.size > 0;
};

/** Saves the games, with the annotations of those that are annotated to the end. */
const save = () => {
  const isPart = ({ page }: Brought) => !page.value && page.moves.some(({ value }) => value);
  const lost = missing === 1 ? "a game" : `${missing} games`;
  const parts = [
    brought.some(isPart) ? "A game that is not annotated to the end is saved as it was before." : "",
    missing > 0 ? `Not in the file: ${lost} that could not be read.` : "",
    view.own().length > 0 ? "Not in the file: the line on the board." : "",
  ];
  if (parts.some((part) => part)) tell(parts);
  unsaved = false;
  const text = brought.map(({ pgn }) => pgn).join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  link.download = "games.pgn";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// What the page has beyond that of an annotated game.

const paragraph = (text: string) => Object.assign(document.createElement("p"), { textContent: text });
const furnish = () => {
  const template = document.createElement("template");
  template.innerHTML = `
<div id="tools">
<button type="button" id="explain" class="main">Explain this position <kbd>E</kbd></button>
<button type="button" id="annotate"></button>
<button type="button" id="stop" hidden>Stop</button>
<progress id="progress" aria-label="Progress of the search" hidden></progress>
<label class="move">Move <input id="san" size="6" autocomplete="off" spellcheck="false"
placeholder="Nf3"></label>
</div>
<p id="said" role="status"></p>
<section id="explanation" aria-label="Explanation" aria-live="polite">
<p id="line"></p>
<p id="hint" class="soft"></p>
<div id="known"></div>
</section>`;
  $("details").before(template.content);
  $("tools").append($("back"));
  const about = document.createElement("section");
  about.id = "welcome";
  about.setAttribute("aria-label", "How to begin");
  const isHere = searcher === "browser" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
  const where = isHere ? "Everything is computed on this machine. Nothing is sent anywhere."
    : `The program at ${location.host} computes: your games are sent to it.`;
  about.innerHTML = `
<h2>A board that explains</h2>
<p>Play moves, or drop or paste a game (PGN) or a position (FEN) anywhere. Then press <b>Explain this
position</b>: which moves hold, which only seem to, and who has to be careful.</p>
<p class="soft">${where}</p>`;
  document.querySelector(".side")!.prepend(about);
  const header = document.createElement("template");
  header.innerHTML = `
<button type="button" id="open" title="Open a file of games">Open</button>
<button type="button" id="paste" title="Paste a game or a position">Paste</button>
<button type="button" id="save" title="Save the games with their annotations">Save</button>
<button type="button" id="link" title="Copy a link to this position">Link</button>
<button type="button" id="set" aria-label="Settings" title="Settings">⚙</button>
<input type="file" id="file" accept=".pgn,.fen,.txt,application/x-chess-pgn,text/plain" multiple
hidden>
<dialog id="paper" aria-label="Paste a game or a position"><form method="dialog">
<label>A game (PGN) or a position (FEN)<textarea id="pasted" rows="12" spellcheck="false"></textarea></label>
<p id="refused" role="alert"></p>
<menu><button type="submit" id="take" class="main">Open</button>
<button type="button" id="close">Cancel</button></menu>
</form></dialog>
<dialog id="settings" aria-label="Settings"><form method="dialog">
<label>Your rating on Lichess <input type="number" id="elo" min="400" max="3000"></label>
<label>To explain a position <select id="nodes"><option value="200000">quickly</option>
<option value="1000000">as usual</option><option value="5000000">thoroughly</option>
<option value="25000000">very thoroughly</option></select></label>
<label>To annotate a game <select id="gameNodes"><option value="30000">quickly</option>
<option value="150000">as usual</option><option value="1000000">thoroughly</option></select></label>
<label>Games at the same time <input type="number" id="places" min="1" max="64"></label>
<p class="soft small">A more thorough search takes longer in proportion.
<span id="later">The number of games counts from the next visit.</span></p>
<menu><button type="submit" class="main">Close</button></menu>
</form></dialog>`;
  $("theme").before(header.content);

  const keys = [...document.querySelectorAll("details")].at(-1)!;
  $("address").textContent = "The address of the page keeps the position on the board and the moves that "
    + "lead to it, for a bookmark, but nothing else of the game.";
  keys.append(paragraph("E explains the position. M is for typing a move, such as Nf3. Ctrl+V pastes a game "
    + "or a position."));

  $("explain").onclick = explain;
  $("annotate").onclick = annotate;
  $("stop").onclick = stop;
  $("save").onclick = save;
  $("open").onclick = () => $("file").click();
  const file = $<HTMLInputElement>("file");
  file.onchange = async () => {
    await bringFiles([...(file.files ?? [])]);
    file.value = "";
  };
  const [paper, pasted] = [$<HTMLDialogElement>("paper"), $<HTMLTextAreaElement>("pasted")];
  $("paste").onclick = () => { $("refused").textContent = ""; paper.showModal(); pasted.select(); };
  $("close").onclick = () => paper.close();
  $("take").onclick = (event) => {
    if (bring([["", pasted.value]])) return;
    event.preventDefault();
    $("refused").textContent = $("said").textContent;
  };
  $("link").onclick = async () => {
    keep();
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link to this position is in the clipboard.");
    } catch {
      say("The address of the page is the link to this position.");
    }
  };
  if (searcher === "program") {
    // The program has its own number.
    $("later").hidden = true;
    $("places").closest("label")!.hidden = true;
  }
  $("set").onclick = () => $<HTMLDialogElement>("settings").showModal();
  for (const name of Object.keys(settings) as Setting[]) {
    const field = $<HTMLInputElement>(name);
    field.value = String(settings[name]);
    field.onchange = () => {
      if (!field.validity.valid || field.value === "") { field.value = String(settings[name]); return; }
      settings[name] = Number(field.value);
      try { localStorage.setItem(KEPT, JSON.stringify(settings)); } catch { /* not remembered */ }
      shown = "";
      drawExplanation();
      drawTools();
    };
  }
  const san = $<HTMLInputElement>("san");
  san.onchange = () => {
    const plain = (text: string) => text.replace(/[+#x=]/g, "");
    const folded = (text: string) => plain(text.toLowerCase());
    const all = rules().moves.map(([uci, step]) => ({ uci, step, san: view.step(step).san }));
    const wanted = san.value.trim();
    const spelled = wanted.replace(/^0-0(-0)?/, (castles) => castles.replaceAll("0", "O"));
    // `bxc3` is another move than `Bxc3`. Only where there is no such doubt, capitals do not matter.
    const alike = all.filter((of) => folded(of.san) === folded(spelled));
    const found = all.find((of) => of.san === spelled) ?? all.find((of) => of.uci === spelled)
      ?? all.find((of) => plain(of.san) === plain(spelled)) ?? (alike.length === 1 ? alike[0] : undefined);
    if (found) { play(found.step); san.value = ""; say(""); }
    else if (alike.length > 0) say(`${wanted} may be ${alike.map((of) => of.san).join(" or ")}.`);
    else if (wanted) say(`${wanted} is not a legal move here.`);
  };
  san.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    san.value = "";
    san.blur();
  };
  addEventListener("keydown", (event) => {
    const inside = (event.target as HTMLElement).closest("select, textarea, dialog, input:not([type=range])");
    if (event.ctrlKey || event.metaKey || event.altKey || inside) return;
    const key = event.key.toLowerCase();
    if (key === "e") explain();
    else if (key === "m") { event.preventDefault(); san.focus(); }
    else return;
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length > 0) await bringFiles(dropped);
    else bring([["", event.dataTransfer?.getData("text") ?? ""]]);
  });
  addEventListener("paste", (event) => {
    if ((event.target as HTMLElement).closest("textarea, input, dialog")) return;
    bring([["", event.clipboardData?.getData("text") ?? ""]]);
  });
  addEventListener("hashchange", follow);
  addEventListener("beforeunload", (event) => { if (isUnsaved()) event.preventDefault(); });
};

furnish();
/** Plays a move. At the end of a game without a result it becomes a move of the game, elsewhere of a line. */
const play = (step: string) => {
  const { index, ply, inLine } = view.at();
  const { page } = brought[index];
  if (!inLine && ply === page.moves.length && page.result === "*") {
    brought[index] = longer(brought[index], view.step(step).san);
    view.fill(index, brought[index].page);
    unsaved ||= page.value !== undefined;
  }
  view.play(step);
};
const ground = makeBoard($("board"), (step) => {
  const san = $<HTMLInputElement>("san");
  san.value = ""; // or it would be played, too
  san.blur(); // the keys step again
  play(step);
});
let ready = false;
view = mount(brought.map(({ page }) => page), {
  name: "Cassius",
  board: ground.draw,
  changed: () => { if (ready) changed(); },
  keep: () => { if (ready) keep(); },
});
const changed = () => {
  ground.allow(rules());
  drawExplanation();
  drawTools();
};
ready = true;
changed();
follow();
// Where there is a place for it: not in a page that a program serves.
if (searcher === "browser") await navigator.serviceWorker?.register("offline.js").catch(() => {});

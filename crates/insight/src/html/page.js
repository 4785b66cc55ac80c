/**
 * Shows games, as `html_of` or `html_plain` writes them. What is not known yet is left blank.
 *
 * An app that embeds the page may pass:
 * - `board(picture)`, which draws what `drawBoard` describes, in place of the picture of a board;
 * - `changed()`, which is called when another position is shown;
 * - `keep()`, which stores the place in the address;
 * - `name`, the title of a game without players.
 * It gets functions that open games, fill in what becomes known, and play moves.
 */
export const mount = (games, app = {}) => {
  const $ = (id) => document.getElementById(id);
  if (games.length === 0) {
    $("title").textContent = "No games";
    document.querySelector("main").hidden = true;
    return null;
  }
  const SVG = "http://www.w3.org/2000/svg";
  const DRAWN = ["svg", "use", "path", "polygon", "line", "circle", "rect", "text", "polyline"];
  let game = games[0];
  let ply = 0;
  let flipped = false;
  /**
   * The line on the board, if there is one: the ply of the game where it begins, its moves, their names, how
   * many are played, the buttons of the last ones, its value; and `worth`, the value of one of its places.
   */
  let line = null;
  let keeping = 0;
  /** Whether more is known of the move than is said of it. */
  let stale = false;

  /** An element with attributes and children; text is never markup. */
  const make = (name, attributes = {}, ...children) => {
    const element = DRAWN.includes(name) ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const button = (attributes, press, ...children) => {
    const element = make("button", { type: "button", ...attributes }, ...children);
    element.addEventListener("click", press);
    return element;
  };
  const percent = (chance) => `${Math.round(100 * chance)}\u00a0%`;
  const minus = (value) => value.replace("-", "−");
  const now = () => game.moves[ply - 1];
  const isKnown = (state) => state.value !== undefined;
  const sideOf = (white) => (white ? "White" : "Black");
  const KINDS = { "□": "good", "?!": "slip", "?": "error", "??": "bad" };

  // The position that is shown.
  const squares = (fen) => {
    const pieces = new Map();
    fen.split(" ")[0].split("/").forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else pieces.set("abcdefgh"[file++] + (8 - index), letter);
      }
    });
    return pieces;
  };
  const fenAt = (at) => (at > 0 ? game.moves[at - 1].fen : game.start);
  /** A move of a line: its name, and the squares that it changes with what stands there after it. */
  const step = (text) => {
    const [san, changes] = text.split(" ");
    return { san, changes: changes.match(/.{3}/g).map((change) => [change.slice(0, 2), change[2]]) };
  };
  /** The pieces, and the squares of the last move. */
  const position = () => {
    if (!line) return { pieces: squares(fenAt(ply)), moved: now() ? now().squares : [] };
    const pieces = squares(fenAt(line.from));
    let moved = line.from > 0 ? game.moves[line.from - 1].squares : [];
    for (const { changes } of line.moves.slice(0, line.at)) {
      for (const [square, piece] of changes) {
        if (piece === ".") pieces.delete(square);
        else pieces.set(square, piece);
      }
      moved = [changes[0][0], changes[1][0]];
    }
    return { pieces, moved };
  };

  // The board.
  const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  const isWhite = (piece) => piece === piece.toUpperCase();
  const sketch = (piece) => make("use", { href: `#${piece.toLowerCase()}` });
  const figure = (piece) => {
    const colour = isWhite(piece) ? "white" : "black";
    return make("svg", { class: `piece ${colour}`, "aria-hidden": "true" }, sketch(piece));
  };
  const centre = (square) => {
    const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
    return flipped ? [7.5 - file, rank + 0.5] : [file + 0.5, 7.5 - rank];
  };
  const arrow = (from, to) => {
    const [[x1, y1], [x2, y2]] = [centre(from), centre(to)].map(([x, y]) => [10 * x, 10 * y]);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [bx, by] = [x2 - 4 * dx, y2 - 4 * dy];
    const head = [[x2, y2], [bx - 2.2 * dy, by + 2.2 * dx], [bx + 2.2 * dy, by - 2.2 * dx]];
    return make("svg", { id: "arrow", viewBox: "0 0 80 80", "aria-hidden": "true" },
      make("path", { d: `M${x1} ${y1}L${bx} ${by}` }),
      make("polygon", { points: head.map((p) => p.join()).join(" ") }));
  };
  const drawSquares = ({ pieces, moved, glyph, arrow: [from, to] }) => {
    const board = $("board");
    board.replaceChildren();
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const [file, rank] = flipped ? [7 - column, row + 1] : [column, 8 - row];
        const square = "abcdefgh"[file] + rank;
        const cell = make("div", { "data-square": square });
        if ((file + rank) % 2 === 1) cell.classList.add("dark");
        if (moved.includes(square)) cell.classList.add("moved");
        if (row === 7) cell.append(make("small", { class: "file" }, square[0]));
        if (column === 0) cell.append(make("small", { class: "rank" }, square[1]));
        const piece = pieces.get(square);
        if (piece) {
          cell.dataset.piece = piece;
          cell.append(figure(piece));
        }
        if (glyph && square === moved[1]) cell.append(make("b", { class: KINDS[glyph] }, glyph));
        board.append(cell);
      }
    }
    if (from) board.append(arrow(from, to));
  };
  /** Draws the pieces, the last move, what it was worth, and an arrow for the better one. */
  const drawBoard = () => {
    const move = now();
    const { pieces, moved } = position();
    const glyph = !line && move && move.glyph;
    const better = glyph && move.best ? step(move.best.moves[0]).changes.slice(0, 2) : [];
    (app.board || drawSquares)({ pieces, moved, glyph, arrow: better.map(([square]) => square), flipped });
    document.querySelector(".place").classList.toggle("line", Boolean(line));
    const told = (piece) => `${isWhite(piece) ? "white" : "black"} ${NAMES[piece.toLowerCase()]}`;
    const list = [...pieces].map(([square, piece]) => `${told(piece)} ${square}`);
    const inLine = () => `In a line, ${line.at > 0 ? `after ${line.names[line.at - 1]}` : "at its start"}`;
    const place = line ? inLine() : move ? `After ${name(move)}` : "Start";
    $("board").setAttribute("aria-label", `${place}: ${list.join(", ")}`);
    drawPlayers(pieces);
    drawBar();
    app.changed?.();
  };

  // The bar beside the board.
  /** A value with one digit after the point: `+0.3`, `0.0`, `#5`. */
  const short = (text) => {
    if (!/^[+-]\d+\.\d+$/.test(text)) return minus(text);
    const digits = Math.abs(Number(text)).toFixed(1);
    return digits === "0.0" ? digits : minus(text[0]) + digits;
  };
  /** The value of the place on the board, if it is known. In a line it may be known of one place only. */
  const valueHere = () => {
    if (line) return line.worth?.at === line.at ? line.worth.of : line.value;
    const state = now() || game;
    return state.value || state.worth;
  };
  const drawBar = () => {
    const { text, chance } = valueHere() || {};
    const bar = $("bar");
    bar.classList.toggle("unknown", chance === undefined);
    if (chance === undefined) {
      bar.lastElementChild.textContent = bar.title = "";
      bar.removeAttribute("aria-valuenow");
      bar.setAttribute("aria-valuetext", "not known");
      return;
    }
    const told = text ? `${text}, ${percent(chance)}` : percent(chance);
    bar.style.setProperty("--chance", `${(100 * chance).toFixed(1)}%`);
    bar.className = `${chance >= 0.5 ? "white" : "black"}${flipped ? " turned" : ""}`;
    bar.setAttribute("aria-valuenow", Math.round(100 * chance));
    bar.setAttribute("aria-valuetext", told);
    bar.title = `${told} for White`;
    bar.lastElementChild.textContent = text ? short(text) : `${Math.round(100 * chance)}%`;
  };

  // The players above and below the board.
  const clock = (seconds) => {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
    return `${h > 0 ? `${h}:` : ""}${h > 0 ? String(m).padStart(2, "0") : m}:${String(s).padStart(2, "0")}`;
  };
  /** What a side's clock shows: as after its last move. */
  const left = (white) => {
    const own = game.moves.slice(0, ply).filter((move) => move.white === white && move.clock !== null);
    if (own.length > 0) return own.at(-1).clock;
    return game.moves.some((move) => move.clock !== null) ? game.clock : null;
  };
  const WORTH = { q: 9, r: 5, b: 3, n: 3, p: 1 };
  /** The men that a side has more than the other, and by how much they are worth more in all. */
  const surplus = (pieces, white) => {
    const more = [];
    let worth = 0;
    for (const [letter, value] of Object.entries(WORTH)) {
      const count = (of) => [...pieces.values()].filter((piece) => piece === of).length;
      const lead = (count(letter.toUpperCase()) - count(letter)) * (white ? 1 : -1);
      worth += lead * value;
      for (let index = 0; index < lead; index++) {
        more.push(make("svg", { "aria-hidden": "true", viewBox: "0 0 45 45" }, sketch(letter)));
      }
    }
    return make("span", { class: "more" }, ...more, ...(worth > 0 ? [make("span", {}, `+${worth}`)] : []));
  };
  const drawPlayers = (pieces) => {
    const turn = fenAt(ply).split(" ")[1];
    for (const [id, white] of [["above", flipped], ["below", !flipped]]) {
      const player = game.players[white ? 0 : 1];
      const time = left(white);
      const runs = !line && (turn === "w") === white;
      const colour = sideOf(white);
      $(id).replaceChildren(
        make("span", { class: `colour ${colour.toLowerCase()}`, role: "img", "aria-label": colour }),
        ...(player.title ? [make("span", { class: "title" }, player.title)] : []),
        make("span", { class: "name", title: player.name }, player.name),
        ...(player.elo ? [make("span", { class: "elo" }, String(player.elo))] : []),
        surplus(pieces, white),
        ...(time === null ? [] : [make("span", { class: `clock${runs ? " runs" : ""}` }, clock(time))]));
    }
  };

  // What is said of the move.
  const name = (move) => `${move.number}${move.white ? "." : "..."} ${move.san}`;
  const text = (kind, ...children) => make("p", kind ? { class: kind } : {}, ...children);
  const room = (move) => {
    const side = sideOf(move.white);
    if (move.lost) return `${side} was lost, whatever was played.`;
    if (move.legal === 1) return `${side} had one legal move.`;
    const held = move.held === move.legal ? "all" : move.held;
    const tempting = move.tempting && ` (${percent(move.tempting[1])} by ${move.tempting[0]})`;
    const one = move.error === null ? "" : percent(move.error);
    const chance = move.errors ? move.errors.map(percent).join(" to ") : one;
    const errs = chance && move.held < move.legal;
    const err = errs ? ` Of players rated ${move.elo || 1500}, ${chance} err here${tempting || ""}.` : "";
    return `${side} had ${move.legal} moves, of which ${held} held.${err}`;
  };
  /** What the position asks of the side to move, or how the game ended. */
  const next = () => {
    const move = game.moves[ply];
    if (move) return isKnown(move) ? text(`care ${move.care}`, move.asked) : "";
    if (game.moves.length === 0 && game.result === "*") return "";
    const ends = { "1-0": "White won", "0-1": "Black won", "1/2-1/2": "The game was drawn" };
    const known = [ends[game.result], game.ended].filter((part) => part).join(": ");
    const told = known || "The game has no result";
    return text("care", `${told[0].toUpperCase()}${told.slice(1)}.`);
  };
  const said = (what) => what.said.map((words) => text("said", words));
  const plan = (side, depth) =>
    (depth === null ? `${side} had nothing to hold` : `${side} ${depth.toFixed(2)} moves deep`);

  /** The names of the moves of a line, with their numbers: also of the first that is shown. */
  const names = (from, moves, first = 0) => moves.map(({ san }, index) => {
    const [, turn, , , , begun] = fenAt(from).split(" ");
    const half = 2 * Number(begun) + (turn === "w" ? 0 : 1) + index;
    const number = Math.floor(half / 2);
    return half % 2 === 0 ? `${number}. ${san}` : index === first ? `${number}... ${san}` : san;
  });
  /**
   * The buttons of moves that go on from a place; pressing one plays the line up to there. A place is a ply
   * of the game, and moves of a line from there; `told` if the text about the move begins at it.
   */
  const buttons = ({ from, before, told }, moves, value) => {
    const steps = [...before, ...moves.map(step)];
    const named = names(from, steps, before.length);
    const play = (at) => enter({ from, moves: steps, names: named, at, buttons: found, value, told });
    const own = named.slice(before.length);
    const found = own.map((words, index) => button({}, () => play(before.length + index + 1), words));
    return found;
  };
  const isPlayed = (san, trap) => step(trap.moves[0]).san === san;
  /** What is known of a side's moves, row by row: those that hold, the best line, those that tempt. */
  const rowsOf = ({ white, lost, held, holding, best, traps, safety }, place, value, played) => {
    const rows = [];
    const row = (label, kind, ...children) =>
      rows.push(make("span", {}, label), make("div", kind ? { class: kind } : {}, ...children));
    if (!lost && held > 0) {
      const chips = holding.map((of) => {
        const { san } = step(of);
        if (san === played) {
          const title = "The move that was played";
          return button({ class: "played", title }, leave, `${san} `, make("em", {}, "played"));
        }
        // A move that holds keeps the value up to a tenth: the bar shows the value before it.
        const [chip] = buttons(place, [of], value);
        chip.textContent = san;
        return chip;
      });
      const more = held - holding.length;
      if (more > 0) chips.push(make("em", {}, `and ${more} more`));
      row(held === 1 ? "Holds" : "Hold", "chips", ...chips);
    }
    if (best) {
      const { moves, value: text, chance, more } = best;
      row("Best line", "", ...buttons(place, moves, { text, chance }), more ? "…" : "",
        make("span", { class: "outcome" }, `${minus(text)}, White ${percent(chance)}`));
    }
    // The one that was played comes first.
    const first = (one, other) => isPlayed(played, other) - isPlayed(played, one);
    for (const trap of [...traps].sort(first)) {
      const { moves, chance, more } = trap;
      const own = percent(white ? chance : 1 - chance);
      const outcome = moves.length === 1 ? "stalemate" : `leaves ${sideOf(white)} ${own}`;
      const label = isPlayed(played, trap) ? "Refutation" : "Tempting";
      row(label, "", ...buttons(place, moves, { text: null, chance }), more ? "…" : "",
        make("span", { class: "outcome" }, outcome));
    }
    if (safety) row("Plans", "soft", `${plan("White", safety.white)}, ${plan("Black", safety.black)}`);
    return rows;
  };
  const drawLines = (move) => {
    const before = ply > 1 ? game.moves[ply - 2] : game;
    const place = { from: ply - 1, before: [], told: true };
    const rows = move && isKnown(move) ? rowsOf(move, place, before.value || move.value, move.san) : [];
    $("lines").replaceChildren(...rows);
  };
  const drawDetails = () => {
    stale = false;
    const move = now();
    const { value } = move || game;
    const worth = make("span", {}, value ? `${minus(value.text)}, White ${percent(value.chance)}` : "");
    if (!move) {
      $("move").replaceChildren(make("b", {}, "Start"), worth);
      $("told").replaceChildren(next(), ...said(game));
    } else {
      const glyph = move.glyph ? make("strong", { class: KINDS[move.glyph] }, ` ${move.glyph}`) : "";
      $("move").replaceChildren(make("b", {}, name(move)), glyph, worth);
      const sentence = move.sentence ? `${move.sentence} ` : "";
      const tempted = isKnown(move) && move.traps.some((trap) => isPlayed(move.san, trap));
      const looks = tempted ? "It looks right, but does not hold. " : "";
      const about = () => text("", sentence, looks, make("span", { class: "soft" }, room(move)));
      $("told").replaceChildren(...(isKnown(move) ? [about()] : []), next(), ...said(move));
    }
    drawLines(move);
  };

  // A line on the board.
  const markLine = () => {
    const before = line.moves.length - line.buttons.length;
    line.buttons.forEach((of, index) => {
      if (before + index + 1 === line.at) of.setAttribute("aria-current", "step");
      else of.removeAttribute("aria-current");
    });
  };
  const drawLine = () => {
    drawBoard();
    markLine();
    $("back").classList.add("shown");
    $("status").textContent = line.at > 0
      ? `Line, ${line.names[line.at - 1]}, ${line.at} of ${line.moves.length}`
      : "Line, before its first move";
    drawEnds();
    remember();
  };
  const enter = (of) => {
    forget();
    line = of;
    drawLine();
  };
  const forget = () => {
    if (!line) return;
    for (const of of line.buttons) of.removeAttribute("aria-current");
    const inside = document.activeElement === $("back");
    if (inside) line.buttons[0]?.focus();
    line = null;
    $("back").classList.remove("shown");
    $("status").textContent = "";
  };
  const leave = () => {
    if (!line) return;
    const inside = document.activeElement === $("back");
    forget();
    drawBoard();
    if (stale) {
      drawDetails();
      if (inside) ($("lines").querySelector("button") ?? $("next")).focus();
    }
    drawEnds();
    remember();
    $("status").textContent = `Back in the game${now() ? `, after ${name(now())}` : ""}`;
  };
  /** Buttons of all moves of the line on the board. */
  const walk = (named) => named.map((words, index) =>
    button({}, () => { line.at = index + 1; drawLine(); }, words));
  /** Plays a move in the position that is shown: the next one of the game or the line, or a new line. */
  const play = (text) => {
    const of = step(text);
    const goesOn = line ? line.moves[line.at] : game.moves[ply];
    if (goesOn && goesOn.san === of.san) { go(1); return; }
    const [from, before] = line ? [line.from, line.moves.slice(0, line.at)] : [ply, []];
    const moves = [...before, of];
    const named = names(from, moves);
    enter({ from, moves, names: named, at: moves.length, buttons: walk(named), own: true, value: undefined });
  };
  /** The place that is shown: a ply of the game, and the moves of a line from there. */
  const place = () => ({ from: line ? line.from : ply, before: line ? line.moves.slice(0, line.at) : [] });
  /** Goes some moves on in the line, or in the game. */
  const go = (way) => {
    if (!line) { show(ply + way); return; }
    line.at = Math.min(line.moves.length, Math.max(0, line.at + way));
    drawLine();
  };

  // The list of moves.
  const drawMoves = () => {
    const items = [];
    let item = null;
    game.moves.forEach((move, index) => {
      if (move.white || !item) {
        item = make("li", {}, make("span", {}, `${move.number}.`));
        if (!move.white) item.append(make("span", {}, "…"));
        items.push(item);
      }
      const of = button({ "data-ply": index + 1, tabindex: -1 }, () => show(index + 1), move.san);
      if (move.glyph) of.append(make("i", { class: KINDS[move.glyph] }, move.glyph));
      of.append(make("small", {}, isKnown(move) ? short(move.value.text) : ""));
      item.append(of);
    });
    if (game.result !== "*") {
      const end = [game.result, game.ended].filter((part) => part).join(" · ");
      items.push(make("li", {}, make("span", { class: "end" }, end)));
    }
    $("moves").replaceChildren(...items);
  };
  /** Scrolls a list so that one of its items is seen; nothing else scrolls. */
  const reveal = (list, item) => {
    const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    }
    if (inner.left < outer.left || inner.right > outer.right) {
      list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
    }
  };
  const markMoves = (reveals = true) => {
    const list = $("moves");
    for (const of of list.querySelectorAll("button")) {
      const current = Number(of.dataset.ply) === ply;
      of.tabIndex = current || (ply === 0 && of.dataset.ply === "1") ? 0 : -1; // one stop for the list
      if (!current) { of.removeAttribute("aria-current"); continue; }
      of.setAttribute("aria-current", "true");
      if (reveals) reveal(list, of);
    }
    if (reveals && ply === 0) list.scrollTop = list.scrollLeft = 0;
    for (const of of $("moments").querySelectorAll("button")) {
      if (Number(of.dataset.ply) !== ply) { of.removeAttribute("aria-current"); continue; }
      of.setAttribute("aria-current", "true");
      if (reveals) reveal($("moments"), of);
    }
  };

  // The key moments.
  const drawMoments = () => {
    const items = (game.moments || []).map(({ kind, plies, text }) => make("li", {},
      button({ class: kind, "data-ply": plies }, () => show(plies), make("span", {}, text))));
    const none = make("li", { class: "soft" },
      game.moments ? "None: no mistake or blunder, and no only move." : "Known when every move is judged.");
    $("moments").replaceChildren(...(items.length > 0 ? items : [none]));
  };

  // The graphs.
  const [LEFT, RIGHT, TOP, BOTTOM] = [40, 6, 14, 16];
  /** A graph from `least` to `most`; `draw` adds to it what is under the marks. */
  const graph = (id, [least, most], ticks, unit, draw) => {
    const box = $(id);
    const [width, height] = [box.clientWidth, box.clientHeight];
    if (width === 0) return; // not shown
    const last = Math.max(1, game.moves.length);
    const x = (at) => LEFT + ((width - LEFT - RIGHT) * at) / last;
    const clip = (value) => Math.min(most, Math.max(least, value));
    const y = (value) => height - BOTTOM - ((height - TOP - BOTTOM) * (clip(value) - least)) / (most - least);
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    const points = (list) => list.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    svg.append(...draw({ x, y, points, last }));
    for (const tick of ticks) {
      const main = [least, most, (least + most) / 2].includes(tick);
      const [kind, at] = [main ? "grid main" : "grid", y(tick)];
      svg.append(make("line", { class: kind, x1: x(0), x2: x(last), y1: at, y2: at }),
        make("text", { x: LEFT - 5, y: at + 3.5, "text-anchor": "end" }, unit(tick)));
    }
    // Numbers of moves below, as many as there is room for.
    const every = [1, 2, 5, 10, 20, 50, 100].find((step) => (x(2 * step) - x(0)) > 26) || 200;
    game.moves.forEach((move, index) => {
      if (!move.white || move.number % every > 0) return;
      svg.append(make("text", { x: x(index + 1), y: height - 4, "text-anchor": "middle" }, move.number));
    });
    // The phases.
    const [middlegame, endgame] = game.phases;
    const phases = [["Opening", 0], ["Middlegame", middlegame], ["Endgame", endgame]]
      .filter(([, from]) => from !== null);
    phases.forEach(([phase, from], index) => {
      const to = index + 1 < phases.length ? phases[index + 1][1] : last;
      const at = x(from);
      const [y1, y2] = [TOP - 10, height - BOTTOM];
      if (index > 0) svg.append(make("line", { class: "border", x1: at, x2: at, y1, y2 }));
      if (id === "chances" && x(to) - at > 6.2 * phase.length) {
        svg.append(make("text", { class: "phase", x: at + 3, y: 10 }, phase));
      }
    });
    svg.append(make("line", { class: "now", x1: x(ply), x2: x(ply), y1: TOP - 4, y2: height - BOTTOM }));
    game.moves.forEach((move, index) => {
      if (!move.glyph && !move.only) return;
      const side = sideOf(move.white).toLowerCase();
      const signed = move.error == null ? null : move.white ? move.error : -move.error;
      const value = { chances: move.value.chance, errors: signed, safety: move.safety?.[side] ?? null }[id];
      if (value === null) return;
      const [cx, cy] = [x(index + 1), y(value)];
      const kind = move.glyph === "□" ? "only" : move.only ? "missed" : "error";
      svg.append(move.only
        ? make("rect", { class: kind, x: cx - 3.5, y: cy - 3.5, width: 7, height: 7 })
        : make("circle", { class: kind, cx, cy, r: 3.8 }));
    });
    const at = (event) => {
      const place = svg.getBoundingClientRect();
      const along = (event.clientX - place.left) * (width / place.width) - LEFT;
      return Math.min(game.moves.length, Math.max(0, Math.round((along * last) / (width - LEFT - RIGHT))));
    };
    svg.addEventListener("click", (event) => show(at(event)));
    svg.addEventListener("pointermove", (event) => { box.title = label(at(event)); });
    box.replaceChildren(svg);
  };
  const label = (at) => {
    const move = game.moves[at - 1];
    if (!move) return "Start";
    if (!isKnown(move)) return name(move);
    const depth = (value) => (value === null ? "–" : value.toFixed(2));
    const error = move.error === null ? "" : `; ${percent(move.error)} err`;
    const safety = move.safety ? `; plans ${depth(move.safety.white)} and ${depth(move.safety.black)}` : "";
    const { text, chance } = move.value;
    return `${name(move)}${move.glyph}: ${minus(text)}, White ${percent(chance)}${error}${safety}`;
  };
  /** The stretches of a curve between its gaps. */
  const stretches = (points) => {
    const found = [[]];
    for (const point of points) {
      if (point[1] === null) found.push([]);
      else found.at(-1).push(point);
    }
    return found.filter((stretch) => stretch.length > 0);
  };
  const ground = ({ x, y, last }, least, most) => make("rect",
    { class: "ground", x: x(0), y: y(most), width: x(last) - x(0), height: y(least) - y(most) });
  const drawGraphs = () => {
    const states = [game, ...game.moves];
    graph("chances", [0, 1], [0, 0.25, 0.5, 0.75, 1], percent, (of) => {
      const chances = states.map((state, index) => [index, isKnown(state) ? state.value.chance : null]);
      return [ground(of, 0, 1), ...stretches(chances).flatMap((stretch) => {
        const curve = of.points(stretch);
        const [start, end] = [stretch[0][0], stretch.at(-1)[0]].map((at) => `${of.x(at)},${of.y(0)}`);
        return [make("polygon", { class: "area", points: [start, ...curve, end].join(" ") }),
          make("polyline", { class: "chance", points: curve.join(" ") })];
      })];
    });
    const ticks = [-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75];
    const some = (value) => (Math.abs(value) % 0.5 === 0 ? percent(Math.abs(value)) : "");
    graph("errors", [-0.75, 0.75], ticks, some, (of) => {
      const wide = Math.max(1.5, (of.x(2) - of.x(0)) * 0.8);
      const clip = (x) => Math.min(of.x(of.last), Math.max(of.x(0), x));
      const bars = game.moves.map((move, index) => [move, index]).filter(([move]) => move.error != null);
      return [ground(of, -0.75, 0.75), ...bars.map(([move, index]) => {
        const from = move.white ? of.y(move.error) : of.y(0);
        const [start, end] = [-0.5, 0.5].map((part) => clip(of.x(index + 1) + part * wide));
        return make("rect", { class: sideOf(move.white).toLowerCase(), x: start, y: from, width: end - start,
          height: Math.abs(of.y(move.error) - of.y(0)) });
      })];
    });
    const known = states.filter((state) => state.safety);
    $("plans").hidden = known.length === 0;
    if (known.length === 0) return;
    const most = Math.ceil(Math.max(1, ...known.flatMap(({ safety }) => [safety.white, safety.black])));
    const curve = (side) => stretches(states.map((state, index) => [index, state.safety?.[side] ?? null]));
    graph("safety", [0, most], [0, most / 2, most], (value) => value.toFixed(1), (of) =>
      ["white", "black"].flatMap((side) => curve(side).map((points) =>
        make("polyline", { class: side[0], points: of.points(points).join(" ") }))));
  };

  // The game as a whole.
  const title = (of) => of.players.map((player) => player.name).join(" – ");
  const drawHead = () => {
    const [white, black] = game.players.map((player) => player.name);
    const nameless = app.name && white === "White" && black === "Black";
    const result = game.result === "*" ? "" : make("span", {}, game.result);
    $("title").replaceChildren(nameless ? app.name : title(game), result);
    const ended = game.ended && game.result !== "*" ? `${game.result}, ${game.ended}` : "";
    $("about").replaceChildren(
      ...(game.opening ? [text("", make("b", {}, game.opening))] : []),
      text("soft", [game.about, ended].filter((part) => part).join(" · ")));
    const whole = document.querySelector("main").classList;
    whole.toggle("plain", !game.moves.some(isKnown));
    whole.toggle("empty", game.moves.length === 0);
    $("tally").hidden = !game.tally;
    if (!game.tally) return;
    const cells = (cell) => [0, 1].map((side) => make("td", {}, cell(side)));
    const row = (label, cell) => make("tr", {}, make("th", { scope: "row" }, label), ...cells(cell));
    const accuracy = (side) => (game.accuracy[side] === null ? "–" : percent(game.accuracy[side] / 100));
    const count = (key) => (side) => String(game.tally[side][key]);
    // Pressing the number of errors leads from one to the next.
    const errors = (label, key, glyph) => row(`${label} ${glyph}`, (side) => {
      if (game.tally[side][key] === 0) return "0";
      const name = `Next of ${game.tally[side][key]} (${label.toLowerCase()} of ${sideOf(side === 0)})`;
      return button({ "aria-label": name, title: name }, () => seek(glyph, side === 0), count(key)(side));
    });
    $("tally").replaceChildren(
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Player"),
        ...game.players.map((player) => make("th", { scope: "col", title: player.name }, player.name)))),
      make("tbody", {},
        row("Accuracy", accuracy),
        row("Only moves found", (side) => `${game.tally[side].found} of ${game.tally[side].only}`),
        errors("Inaccuracies", "inaccuracies", "?!"),
        errors("Mistakes", "mistakes", "?"),
        errors("Blunders", "blunders", "??"),
        row("Moves", count("moves"))));
  };

  // Steps.
  const drawEnds = () => {
    // Not `disabled`: the focus would be lost.
    const [at, end] = line ? [line.at, line.moves.length] : [ply, game.moves.length];
    for (const [id, stop] of Object.entries({ first: 0, previous: 0, next: end, last: end })) {
      $(id).setAttribute("aria-disabled", String(at === stop));
    }
  };
  const show = (to) => {
    forget();
    ply = Math.min(game.moves.length, Math.max(0, to));
    drawBoard();
    drawDetails();
    drawGraphs();
    markMoves();
    drawEnds();
    const slider = $("ply");
    slider.max = game.moves.length;
    slider.value = ply;
    slider.setAttribute("aria-valuetext", label(ply));
    remember();
  };
  /** Keeps the place in the address. Not at once: browsers allow few changes a second. */
  const remember = () => {
    clearTimeout(keeping);
    const keep = () => history.replaceState(null, "", `#${games.indexOf(game) + 1}.${ply}`);
    keeping = setTimeout(app.keep || keep, 200);
  };
  const turn = () => { flipped = !flipped; drawBoard(); };
  /** The next remark in a direction, if there is one. */
  const remark = (way) => {
    let at = ply + way;
    while (at > 0 && at <= game.moves.length && !game.moves[at - 1].glyph) at += way;
    if (at > 0 && at <= game.moves.length) show(at);
  };

  /** The next move of a side with this glyph, after the last one the first again. */
  const seek = (glyph, white) => {
    const fits = (move) => move.glyph === glyph && move.white === white;
    const found = game.moves.flatMap((move, index) => (fits(move) ? [index + 1] : []));
    show(found.find((at) => at > ply) || found[0]);
  };

  $("first").addEventListener("click", () => go(-Infinity));
  $("previous").addEventListener("click", () => go(-1));
  $("next").addEventListener("click", () => go(1));
  $("last").addEventListener("click", () => go(Infinity));
  $("flip").addEventListener("click", turn);
  $("back").addEventListener("click", leave);
  $("ply").addEventListener("input", (event) => show(Number(event.target.value)));
  const KEYS = {
    ArrowLeft: () => go(-1), ArrowRight: () => go(1), Home: () => go(-Infinity), End: () => go(Infinity),
    ArrowUp: () => remark(-1), ArrowDown: () => remark(1), Escape: leave, f: turn, F: turn,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("select, textarea, dialog, input:not([type=range])")) return;
    if (!KEYS[event.key] || (event.shiftKey && event.key !== "F")) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  let touched = null;
  if (!app.board) $("board").addEventListener("touchstart", (event) => {
    touched = event.touches.length === 1 ? event.touches[0].clientX : null; // two fingers make it larger
  }, { passive: true });
  $("board").addEventListener("touchend", (event) => {
    if (touched === null || app.board) return;
    const way = event.changedTouches[0].clientX - touched;
    if (Math.abs(way) > 30) go(way < 0 ? 1 : -1);
  });

  // Light and dark; a page from a file may not be allowed to remember.
  const root = document.documentElement;
  const dress = (theme) => { root.dataset.theme = theme; root.style.colorScheme = theme; };
  try { const kept = localStorage.getItem("theme"); if (kept) dress(kept); } catch { /* not remembered */ }
  $("theme").addEventListener("click", () => {
    const prefers = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const dark = (root.dataset.theme || prefers) === "dark";
    dress(dark ? "light" : "dark");
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* not remembered */ }
  });

  const choose = (index, at) => {
    forget();
    game = games[index];
    drawHead();
    drawMoves();
    drawMoments();
    show(at);
  };
  /** Goes to the game and the move that the address names: `#2.31`. */
  const follow = () => {
    const [, number, at] = location.hash.match(/^#(\d+)\.(\d+)$/) || [null, 1, 0];
    const index = Math.min(games.length, Math.max(1, Number(number))) - 1;
    $("game").selectedIndex = index;
    choose(index, Number(at));
  };
  const drawChoice = () => {
    $("choice").hidden = games.length < 2;
    $("game").replaceChildren(...games.map((of, index) =>
      make("option", { value: index }, `${index + 1}. ${title(of)} ${of.result}`)));
  };
  $("game").addEventListener("change", (event) => choose(Number(event.target.value), 0));
  new ResizeObserver(drawGraphs).observe($("chances"));
  $("plans").addEventListener("toggle", drawGraphs);
  drawChoice();
  if (app.keep) {
    choose(0, 0);
  } else {
    addEventListener("hashchange", follow);
    follow();
  }

  /** Shows what is new of the game on the board, and leaves the line there as it is. */
  const redraw = () => {
    // The lists are made anew: the focus stays on the same move of the same list.
    const focused = document.activeElement;
    const list = focused?.closest("#moves, #moments");
    drawHead();
    drawMoves();
    drawMoments();
    drawGraphs();
    markMoves(false);
    list?.querySelector(`[data-ply="${focused.dataset.ply}"]`)?.focus({ preventScroll: true });
    if (line) { stale = true; return; }
    drawBoard();
    drawDetails();
  };
  return {
    make, button, percent, minus, sideOf, text, step, names, rowsOf, play, place,
    /** What is shown: the number of the game, the ply, whether a line, and one that the text has not. */
    at: () => ({ index: games.indexOf(game), ply, inLine: Boolean(line), elsewhere: line && !line.told }),
    /** The buttons of the line on the board, if a user has played it, or if its own buttons have gone. */
    own: () => {
      if (line && !line.own && !line.buttons.some((of) => of.isConnected)) {
        const named = names(line.from, line.moves);
        line = { ...line, names: named, buttons: walk(named), own: true };
        markLine();
      }
      return line?.own ? line.buttons : [];
    },
    /** Shows these games, the first of them after `at` plies. */
    open: (those, at = 0) => {
      games = those;
      drawChoice();
      choose(0, at);
    },
    /** Fills in what has become known of a game: the whole game, or the move at an index. */
    fill: (index, what, at) => {
      const shown = games[index] === game;
      if (at === undefined) games[index] = what;
      else games[index].moves[at] = what;
      if (!shown) return;
      game = games[index];
      redraw();
    },
    redraw,
    /** Shows the value of the position on the board beside it, if the page does not know it. */
    value: (of) => {
      if (line) line.worth = { at: line.at, of };
      else (now() || game).worth = of;
      drawBar();
    },
  };
};

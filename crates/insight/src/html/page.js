"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const games = JSON.parse($("data").textContent);
  if (games.length === 0) {
    $("title").textContent = "No games";
    document.querySelector("main").hidden = true;
    return;
  }
  const SVG = "http://www.w3.org/2000/svg";
  const DRAWN = ["svg", "use", "path", "polygon", "line", "circle", "rect", "text", "polyline"];
  let game = games[0];
  let ply = 0;
  let flipped = false;
  /** The line on the board, if there is one: its moves, how many are played, its buttons, its value. */
  let line = null;
  let keeping = 0;

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
    const pieces = squares(fenAt(ply - 1));
    let moved = ply > 1 ? game.moves[ply - 2].squares : [];
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
  const drawBoard = () => {
    const move = now();
    const { pieces, moved } = position();
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
        if (!line && move && move.glyph && square === moved[1]) {
          cell.append(make("b", { class: KINDS[move.glyph] }, move.glyph));
        }
        board.append(cell);
      }
    }
    if (!line && move && move.best && move.glyph) {
      const [[from], [to]] = step(move.best.moves[0]).changes;
      board.append(arrow(from, to));
    }
    document.querySelector(".place").classList.toggle("line", Boolean(line));
    const told = (piece) => `${isWhite(piece) ? "white" : "black"} ${NAMES[piece.toLowerCase()]}`;
    const list = [...pieces].map(([square, piece]) => `${told(piece)} ${square}`);
    const inLine = () => `In a line, ${line.at > 0 ? `after ${line.names[line.at - 1]}` : "at its start"}`;
    const place = line ? inLine() : move ? `After ${name(move)}` : "Start";
    board.setAttribute("aria-label", `${place}: ${list.join(", ")}`);
    drawPlayers(pieces);
    drawBar();
  };

  // The bar beside the board.
  /** A value with one digit after the point: `+0.3`, `0.0`, `#5`. */
  const short = (text) => {
    if (!/^[+-]\d+\.\d+$/.test(text)) return minus(text);
    const digits = Math.abs(Number(text)).toFixed(1);
    return digits === "0.0" ? digits : minus(text[0]) + digits;
  };
  const drawBar = () => {
    const { text, chance } = line || (now() || game).value;
    const bar = $("bar");
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
    const players = move.elo ? `At ${move.elo} Elo` : "At 1500 Elo, say,";
    const tempting = move.tempting && ` (${percent(move.tempting[1])} by ${move.tempting[0]})`;
    const chance = move.errors ? move.errors.map(percent).join(" to ") : move.error !== null && percent(move.error);
    const err = chance ? ` ${players} ${chance} err here${tempting || ""}.` : "";
    return `${side} had ${move.legal} moves, of which ${held} held.${err}`;
  };
  /** What the position asks of the side to move, or how the game ended. */
  const next = () => {
    const move = game.moves[ply];
    if (move) return text(`care ${move.care}`, move.asked);
    const ends = { "1-0": "White won", "0-1": "Black won", "1/2-1/2": "The game was drawn" };
    const end = ends[game.result] || "The game has no result";
    return text("care", `${game.ended ? `${end}: ${game.ended}` : end}.`);
  };
  const said = (what) => what.said.map((words) => text("said", words));
  const plan = (side, depth) =>
    (depth === null ? `${side} had nothing to hold` : `${side} ${depth.toFixed(2)} moves deep`);

  /** The names of a line's moves with their numbers. */
  const names = (move, moves) => moves.map(({ san }, index) => {
    const half = 2 * move.number + (move.white ? 0 : 1) + index;
    const number = Math.floor(half / 2);
    return half % 2 === 0 ? `${number}. ${san}` : index === 0 ? `${number}... ${san}` : san;
  });
  /** The buttons of a line; pressing one plays the line up to there. */
  const buttons = (move, moves, value) => {
    const steps = moves.map(step);
    const named = names(move, steps);
    const play = (at) => enter({ moves: steps, names: named, at, buttons: found, ...value });
    const found = named.map((words, index) => button({}, () => play(index + 1), words));
    return found;
  };
  const isPlayed = (move, trap) => step(trap.moves[0]).san === move.san;
  const drawLines = (move) => {
    const rows = [];
    const row = (label, kind, ...children) =>
      rows.push(make("span", {}, label), make("div", kind ? { class: kind } : {}, ...children));
    if (move && !move.lost && move.held > 0) {
      const chips = move.holding.map((held) => {
        const { san } = step(held);
        if (san === move.san) {
          const title = "The move that was played";
          return button({ class: "played", title }, leave, `${san} `, make("em", {}, "played"));
        }
        const [chip] = buttons(move, [held], hold());
        chip.textContent = san;
        return chip;
      });
      const more = move.held - move.holding.length;
      if (more > 0) chips.push(make("em", {}, `and ${more} more`));
      row(move.held === 1 ? "Holds" : "Hold", "chips", ...chips);
    }
    if (move && move.best) {
      const { moves, value, chance, more } = move.best;
      row("Best line", "", ...buttons(move, moves, { text: value, chance }), more ? "…" : "",
        make("span", { class: "outcome" }, `${minus(value)}, White ${percent(chance)}`));
    }
    // The one that was played comes first.
    const first = (one, other) => isPlayed(move, other) - isPlayed(move, one);
    for (const trap of move ? [...move.traps].sort(first) : []) {
      const { moves, chance, more } = trap;
      const own = percent(move.white ? chance : 1 - chance);
      const outcome = moves.length === 1 ? "stalemate" : `leaves ${sideOf(move.white)} ${own}`;
      const label = isPlayed(move, trap) ? "Refutation" : "Tempting";
      row(label, "", ...buttons(move, moves, { text: null, chance }), more ? "…" : "",
        make("span", { class: "outcome" }, outcome));
    }
    if (move && move.safety) {
      row("Plans", "soft", `${plan("White", move.safety.white)}, ${plan("Black", move.safety.black)}`);
    }
    $("lines").replaceChildren(...rows);
  };
  /** A move that holds keeps the value up to a tenth: the bar shows the value before it. */
  const hold = () => {
    const { text, chance } = ply > 1 ? game.moves[ply - 2].value : game.value;
    return { text, chance };
  };
  const drawDetails = () => {
    const move = now();
    const value = (move || game).value;
    const worth = make("span", {}, `${minus(value.text)}, White ${percent(value.chance)}`);
    if (!move) {
      $("move").replaceChildren(make("b", {}, "Start"), worth);
      $("told").replaceChildren(next(), ...said(game));
    } else {
      const glyph = move.glyph ? make("strong", { class: KINDS[move.glyph] }, ` ${move.glyph}`) : "";
      $("move").replaceChildren(make("b", {}, name(move)), glyph, worth);
      const sentence = move.sentence ? `${move.sentence} ` : "";
      const tempted = move.traps.some((trap) => isPlayed(move, trap));
      const looks = tempted ? "It looks right, but does not hold. " : "";
      $("told").replaceChildren(
        text("", sentence, looks, make("span", { class: "soft" }, room(move))), next(), ...said(move));
    }
    drawLines(move);
  };

  // A line on the board.
  const drawLine = () => {
    drawBoard();
    line.buttons.forEach((of, index) => {
      if (index + 1 === line.at) of.setAttribute("aria-current", "step");
      else of.removeAttribute("aria-current");
    });
    $("back").classList.add("shown");
    $("status").textContent = line.at > 0
      ? `Line, ${line.names[line.at - 1]}, ${line.at} of ${line.moves.length}`
      : "Line, before its first move";
    drawEnds();
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
    if (inside) line.buttons[0].focus();
    line = null;
    $("back").classList.remove("shown");
    $("status").textContent = "";
  };
  const leave = () => {
    if (!line) return;
    forget();
    drawBoard();
    drawEnds();
    $("status").textContent = `Back in the game${now() ? `, after ${name(now())}` : ""}`;
  };
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
      of.append(make("small", {}, short(move.value.text)));
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
  const markMoves = () => {
    const list = $("moves");
    for (const of of list.querySelectorAll("button")) {
      const current = Number(of.dataset.ply) === ply;
      of.tabIndex = current || (ply === 0 && of.dataset.ply === "1") ? 0 : -1; // one stop for the list
      if (!current) { of.removeAttribute("aria-current"); continue; }
      of.setAttribute("aria-current", "true");
      reveal(list, of);
    }
    if (ply === 0) list.scrollTop = list.scrollLeft = 0;
    for (const of of $("moments").querySelectorAll("button")) {
      if (Number(of.dataset.ply) !== ply) { of.removeAttribute("aria-current"); continue; }
      of.setAttribute("aria-current", "true");
      reveal($("moments"), of);
    }
  };

  // The key moments.
  const drawMoments = () => {
    const items = game.moments.map(({ kind, plies, text }) => make("li", {},
      button({ class: kind, "data-ply": plies }, () => show(plies), make("span", {}, text))));
    const none = make("li", { class: "soft" }, "None: no error, and no only move.");
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
      const signed = move.error === null ? null : move.white ? move.error : -move.error;
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
      const curve = of.points(states.map((state, index) => [index, state.value.chance]));
      const end = `${of.x(states.length - 1)},${of.y(0)}`;
      const area = [`${of.x(0)},${of.y(0)}`, ...curve, end];
      return [ground(of, 0, 1), make("polygon", { class: "area", points: area.join(" ") }),
        make("polyline", { class: "chance", points: curve.join(" ") })];
    });
    const ticks = [-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75];
    const some = (value) => (Math.abs(value) % 0.5 === 0 ? percent(Math.abs(value)) : "");
    graph("errors", [-0.75, 0.75], ticks, some, (of) => {
      const wide = Math.max(1.5, (of.x(2) - of.x(0)) * 0.8);
      const clip = (x) => Math.min(of.x(of.last), Math.max(of.x(0), x));
      const bars = game.moves.map((move, index) => [move, index]).filter(([move]) => move.error !== null);
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
    $("title").replaceChildren(title(game), game.result === "*" ? "" : make("span", {}, game.result));
    const ended = game.ended && game.result !== "*" ? `${game.result}, ${game.ended}` : "";
    $("about").replaceChildren(
      ...(game.opening ? [text("", make("b", {}, game.opening))] : []),
      text("soft", [game.about, ended].filter((part) => part).join(" · ")));
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
    // Not at once: browsers allow few changes a second.
    clearTimeout(keeping);
    keeping = setTimeout(() => history.replaceState(null, "", `#${games.indexOf(game) + 1}.${ply}`), 200);
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
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    if (!KEYS[event.key] || (event.shiftKey && event.key !== "F")) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  let touched = null;
  $("board").addEventListener("touchstart", (event) => {
    touched = event.touches.length === 1 ? event.touches[0].clientX : null; // two fingers make it larger
  }, { passive: true });
  $("board").addEventListener("touchend", (event) => {
    if (touched === null) return;
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
  $("choice").hidden = games.length < 2;
  $("game").append(...games.map((of, index) =>
    make("option", { value: index }, `${index + 1}. ${title(of)} ${of.result}`)));
  $("game").addEventListener("change", (event) => choose(Number(event.target.value), 0));
  new ResizeObserver(drawGraphs).observe($("chances"));
  $("plans").addEventListener("toggle", drawGraphs);
  addEventListener("hashchange", follow);
  follow();
})();

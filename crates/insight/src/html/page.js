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
  let game = games[0];
  let ply = 0;
  let flipped = false;

  /** An element with attributes and children; text is never markup. */
  const make = (name, attributes = {}, ...children) => {
    const svg = ["svg", "use", "path", "polygon", "line", "circle", "rect", "text", "polyline"].includes(name);
    const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const percent = (chance) => `${Math.round(100 * chance)} %`;
  const now = () => game.moves[ply - 1];

  // The board.
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
  const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
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
      make("path", { d: `M${x1} ${y1}L${bx} ${by}` }), make("polygon", { points: head.map((p) => p.join()).join(" ") }));
  };
  const drawBoard = () => {
    const move = now();
    const fen = move ? move.fen : game.start;
    const pieces = squares(fen);
    const moved = move ? move.squares : [];
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
          const white = piece === piece.toUpperCase();
          cell.append(make("svg", { class: `piece ${white ? "white" : "black"}`, "aria-hidden": "true" },
            make("use", { href: `#${piece.toLowerCase()}` })));
        }
        board.append(cell);
      }
    }
    if (move && move.best && move.glyph) board.append(arrow(...move.best));
    const list = [...pieces].map(([square, p]) => `${p === p.toUpperCase() ? "white" : "black"} ${NAMES[p.toLowerCase()]} ${square}`);
    board.setAttribute("aria-label", `${move ? `After ${name(move)}` : "Start"}: ${list.join(", ")}`);
  };

  // What is said of the move.
  const name = (move) => `${move.number}${move.white ? "." : "..."} ${move.san}`;
  const line = (kind, ...children) => make("p", kind ? { class: kind } : {}, ...children);
  const room = (side, move) => {
    if (move.lost) return `${side} was lost, whatever was played.`;
    if (move.legal === 1) return `${side} had one move.`;
    if (move.holding.length === move.legal) return `${side} had ${move.legal} moves, and all held.`;
    return `${side} had ${move.legal} moves, of which ${move.holding.length} held: ${move.holding.slice(0, 8).join(", ")}` +
      `${move.holding.length > 8 ? " …" : "."}` +
      (move.error === null ? "" : ` ${move.elo ? `At ${move.elo} Elo` : "At 1500 Elo, say,"} ${percent(move.error)} err here.`);
  };
  const plan = (side, depth) => (depth === null ? `none for ${side}, who had nothing to hold` : `${side}'s ${depth.toFixed(2)} moves deep`);
  const clock = (seconds) => {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
    return `${h > 0 ? `${h}:` : ""}${h > 0 ? String(m).padStart(2, "0") : m}:${String(s).padStart(2, "0")}`;
  };
  const said = (what) => what.said.map((text) => line("said", text));
  const drawDetails = () => {
    const details = $("details");
    const move = now();
    if (!move) {
      details.replaceChildren(line("soft", `Start. ${game.value.text}, ${percent(game.value.chance)} for White.`), ...said(game));
      return;
    }
    const side = move.white ? "White" : "Black";
    const kind = move.glyph === "□" ? "good" : "bad";
    details.replaceChildren(
      line("", make("b", {}, name(move)), move.glyph ? make("b", { class: kind }, ` ${move.glyph}`) : "",
        ` ${move.value.text}, ${percent(move.value.chance)} for White`,
        move.clock === null ? "" : `; clock ${clock(move.clock)}`),
      ...(move.sentence ? [line("", move.sentence)] : []),
      ...said(move),
      line("soft", room(side, move)),
      ...move.traps.map((trap) => line("soft", `Looks right: ${trap.line}, which leaves ${side} ${percent(trap.chance)}.`)),
      ...(move.safety ? [line("soft", `Plans: ${plan("White", move.safety.white)}, ${plan("Black", move.safety.black)}.`)] : []));
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
      const button = make("button", { type: "button", "data-ply": index + 1, tabindex: -1 }, move.san);
      if (move.glyph) button.append(make("i", { class: move.glyph === "□" ? "good" : "bad" }, move.glyph));
      button.addEventListener("click", () => show(index + 1));
      item.append(button);
    });
    $("moves").replaceChildren(...items);
  };

  // The key moments.
  const drawMoments = () => {
    const items = game.moments.map((moment) => {
      const button = make("button", { type: "button", class: moment.kind }, moment.text);
      button.addEventListener("click", () => show(moment.plies));
      return make("li", {}, button);
    });
    const none = make("li", { class: "soft" }, "None: no error, and no only move.");
    $("moments").replaceChildren(...(items.length > 0 ? items : [none]));
  };

  // The graphs.
  const LEFT = 42;
  const graph = (id, most, unit, lines) => {
    const box = $(id);
    const [width, height] = [box.clientWidth, box.clientHeight];
    if (width === 0) return; // not shown
    const last = Math.max(1, game.moves.length);
    const x = (at) => LEFT + ((width - LEFT - 6) * at) / last;
    const y = (value) => height - 6 - ((height - 14) * value) / most;
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    for (const part of [0, 0.5, 1]) {
      svg.append(make("line", { class: "grid", x1: LEFT, x2: width - 6, y1: y(part * most), y2: y(part * most) }),
        make("text", { x: LEFT - 5, y: y(part * most) + 4, "text-anchor": "end" }, unit(part * most)));
    }
    for (const { kind, points } of lines) {
      const path = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
      if (kind === "chance") svg.append(make("polygon", { class: "area", points: [`${x(0)},${y(0)}`, ...path, `${x(last)},${y(0)}`].join(" ") }));
      svg.append(make("polyline", { class: kind, points: path.join(" ") }));
    }
    game.moves.forEach((move, index) => {
      if (!move.glyph && !move.only) return;
      const side = move.white ? "white" : "black";
      const value = { chances: move.value.chance, errors: move.error, safety: move.safety?.[side] ?? null }[id];
      if (value === null) return;
      const [cx, cy] = [x(index + 1), y(Math.min(value, most))];
      const kind = move.glyph === "□" ? "only" : move.only ? "missed" : "error";
      svg.append(move.only ? make("rect", { class: kind, x: cx - 3.5, y: cy - 3.5, width: 7, height: 7 }) : make("circle", { class: kind, cx, cy, r: 3.5 }));
    });
    svg.append(make("line", { class: "now", x1: x(ply), x2: x(ply), y1: 4, y2: height - 2 }));
    const at = (event) => Math.round(((event.clientX - svg.getBoundingClientRect().left) * (width / svg.getBoundingClientRect().width) - LEFT) / ((width - LEFT - 6) / last));
    const clip = (value) => Math.min(game.moves.length, Math.max(0, value));
    svg.addEventListener("click", (event) => show(clip(at(event))));
    svg.addEventListener("pointermove", (event) => { box.title = label(clip(at(event))); });
    box.replaceChildren(svg);
  };
  const label = (at) => {
    const move = game.moves[at - 1];
    if (!move) return "Start";
    const depth = (value) => (value === null ? "–" : value.toFixed(2));
    const safety = move.safety ? `; plans ${depth(move.safety.white)} and ${depth(move.safety.black)}` : "";
    return `${name(move)}: ${move.value.text}, ${percent(move.value.chance)}${safety}`;
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
  const drawGraphs = () => {
    const of = (pick) => game.moves.map((move, index) => [index + 1, pick(move)]);
    graph("chances", 1, percent, [{ kind: "chance", points: [[0, game.value.chance], ...of((move) => move.value.chance)] }]);
    graph("errors", 0.6, percent, [true, false].map((white) => ({
      kind: white ? "w" : "b",
      points: of((move) => move.error).filter(([at, error]) => error !== null && game.moves[at - 1].white === white)
        .map(([at, error]) => [at, Math.min(error, 0.6)]),
    })));
    const known = [game, ...game.moves].filter((at) => at.safety);
    $("plans").hidden = known.length === 0;
    if (known.length === 0) return;
    const most = Math.max(1, ...known.map((at) => Math.ceil(Math.max(at.safety.white, at.safety.black))));
    graph("safety", most, (value) => value.toFixed(1), ["white", "black"].flatMap((side) =>
      stretches([game, ...game.moves].map((at, index) => [index, at.safety?.[side] ?? null])).map((points) => ({ kind: side[0], points }))));
  };

  const drawHead = () => {
    $("title").textContent = `${game.white} – ${game.black}  ${game.result}`;
    $("about").textContent = [game.opening, game.about].filter((part) => part).join(" · ");
    const row = (label, key) => make("tr", {}, make("th", { scope: "row" }, label), ...game.tally.map((of) => make("td", {}, String(of[key]))));
    $("tally").replaceChildren(
      make("thead", {}, make("tr", {}, make("th", {}), make("th", { scope: "col" }, game.white), make("th", { scope: "col" }, game.black))),
      make("tbody", {},
        make("tr", {}, make("th", { scope: "row" }, "accuracy"),
          ...game.accuracy.map((of) => make("td", {}, of === null ? "–" : percent(of / 100)))),
        row("moves", "moves"), row("stood on an only move", "only"), row("and found it □", "found"),
        row("inaccuracies ?!", "inaccuracies"), row("mistakes ?", "mistakes"), row("blunders ??", "blunders")));
  };

  const show = (to) => {
    ply = Math.min(game.moves.length, Math.max(0, to));
    drawBoard();
    drawDetails();
    drawGraphs();
    for (const button of document.querySelectorAll("#moves button")) {
      const current = Number(button.dataset.ply) === ply;
      button.tabIndex = current || (ply === 0 && button.dataset.ply === "1") ? 0 : -1; // one stop for the list
      if (!current) { button.removeAttribute("aria-current"); continue; }
      button.setAttribute("aria-current", "true");
      const list = $("moves");
      const top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
    if (ply === 0) $("moves").scrollTop = 0;
    // Not `disabled`: the focus would be lost.
    const ends = { first: 0, previous: 0, next: game.moves.length, last: game.moves.length };
    for (const [button, end] of Object.entries(ends)) $(button).setAttribute("aria-disabled", String(ply === end));
    const slider = $("ply");
    slider.max = game.moves.length;
    slider.value = ply;
    slider.setAttribute("aria-valuetext", label(ply));
  };
  const turn = () => { flipped = !flipped; drawBoard(); };
  /** The next remark in a direction, if there is one. */
  const remark = (step) => {
    let at = ply + step;
    while (at > 0 && at <= game.moves.length && !game.moves[at - 1].glyph) at += step;
    if (at > 0 && at <= game.moves.length) show(at);
  };

  $("first").addEventListener("click", () => show(0));
  $("previous").addEventListener("click", () => show(ply - 1));
  $("next").addEventListener("click", () => show(ply + 1));
  $("last").addEventListener("click", () => show(game.moves.length));
  $("flip").addEventListener("click", turn);
  $("ply").addEventListener("input", (event) => show(Number(event.target.value)));
  const KEYS = {
    ArrowLeft: () => show(ply - 1), ArrowRight: () => show(ply + 1), Home: () => show(0), End: () => show(game.moves.length),
    ArrowUp: () => remark(-1), ArrowDown: () => remark(1), f: turn, F: turn,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT" || !KEYS[event.key]) return;
    if (event.shiftKey && event.key !== "F") return;
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
    if (Math.abs(way) > 30) show(ply + (way < 0 ? 1 : -1));
  });

  // Light and dark; a page from a file may not be allowed to remember.
  const root = document.documentElement;
  const dress = (theme) => { root.dataset.theme = theme; root.style.colorScheme = theme; };
  try { const kept = localStorage.getItem("theme"); if (kept) dress(kept); } catch { /* not remembered */ }
  $("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    dress(dark ? "light" : "dark");
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* not remembered */ }
  });

  const choose = (index) => { game = games[index]; drawHead(); drawMoves(); drawMoments(); show(0); };
  $("choice").hidden = games.length < 2;
  $("game").append(...games.map((of, index) => make("option", { value: index }, `${index + 1}. ${of.white} – ${of.black} ${of.result}`)));
  $("game").addEventListener("change", (event) => choose(Number(event.target.value)));
  new ResizeObserver(drawGraphs).observe($("chances"));
  $("plans").addEventListener("toggle", drawGraphs);
  choose(0);
})();

const study = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const path = [0];
let turned = false;

const element = (name, text, properties = {}) => Object.assign(document.createElement(name),
  { textContent: text ?? "" }, properties);

// A button that leads along positions: from the root, or on from the position on the board.
const link = (text, to, on) => {
  const button = element("button", text, { type: "button", className: "link" });
  button.addEventListener("click", () => {
    path.splice(on ? path.length : 0, Infinity, ...to);
    show();
    if (!on) $("board").scrollIntoView({ block: "nearest" });
  });
  return button;
};

// The moves of the path. A position may be reached in several ways.
const line = () => {
  const [, turn, , , , begun] = study.positions[0].fen.split(" ");
  const first = 2 * Number(begun) + (turn === "w" ? 0 : 1);
  return path.slice(1).map((to, index) => {
    const { san } = study.positions[path[index]].moves.find((move) => move.to === to);
    const half = first + index;
    const number = Math.floor(half / 2);
    return half % 2 === 0 ? `${number}. ${san}` : index === 0 ? `${number}... ${san}` : san;
  }).join(" ");
};

const squares = (fen) => [...fen.split(" ")[0].replace(/\d/g, (n) => " ".repeat(n)).replaceAll("/", "")];

const draw = (board, fen, uci) => {
  const marked = uci ? [uci.slice(0, 2), uci.slice(2, 4)] : [];
  const cells = squares(fen).map((piece, index) => {
    const [file, rank] = [index % 8, 8 - Math.floor(index / 8)];
    const cell = element("div");
    const name = "abcdefgh"[file] + rank;
    cell.className = [(file + rank) % 2 ? "dark" : "", marked.includes(name) ? "mark" : ""].join(" ");
    if (piece !== " ") {
      const colour = piece === piece.toUpperCase() ? "w" : "b";
      const symbol = `<use href="#${piece.toLowerCase()}"/>`;
      cell.innerHTML = `<svg class="${colour}" aria-hidden="true">${symbol}</svg>`;
      cell.firstChild.setAttribute("viewBox", "0 0 45 45");
    }
    if (board.id === "board") {
      if (rank === (turned ? 8 : 1)) cell.append(element("small", name[0], { className: "file" }));
      if (file === (turned ? 7 : 0)) cell.append(element("small", name[1], { className: "rank" }));
    }
    return cell;
  });
  board.replaceChildren(...(turned ? cells.reverse() : cells));
  board.setAttribute("aria-label", fen);
};

const best = (at) => at.moves.find((move) => move.best);

const show = () => {
  const at = study.positions[path.at(-1)];
  const before = path.length > 1 ? study.positions[path.at(-2)] : null;
  draw($("board"), at.fen, before?.moves.find(({ to }) => to === path.at(-1))?.uci);
  $("line").textContent = `${line() || "The position of the study"}: ${at.value ?? "not judged"}`;
  $("fen").textContent = at.fen;
  for (const board of document.querySelectorAll(".small")) draw(board, board.dataset.fen);
  const inside = $("moves").contains(document.activeElement);
  $("moves").replaceChildren(...at.moves.map((move) => {
    const item = element("li");
    const text = `${move.san} ${move.value ?? "not judged"}`;
    item.append(move.to != null ? link(text, [move.to], true) : element("span", text));
    if (move.repeats) item.append(" repeats a position");
    if (move.excluded) item.append(" left out");
    return item;
  }));
  const others = at.moves.length > 0 ? "Other moves" : "No move is followed";
  const told = at.leaf ? [at.leaf.value, at.leaf.line].filter((part) => part).join(", ") : "";
  $("leaf").textContent = at.leaf ? `${others}: ${told}`
    : at.over ? "The game is over." : at.moves.length > 0 ? "" : "Not judged yet.";
  // Not `disabled`: the focus would be lost.
  const able = (id, is) => $(id).setAttribute("aria-disabled", String(!is));
  able("up", path.length > 1);
  able("root", path.length > 1);
  able("best", best(at)?.to != null);
  if (inside) ($("moves").querySelector("button") ?? $("up")).focus();
};

$("sentence").textContent = study.sentence;
$("verdict").tBodies[0].replaceChildren(...study.moves.map((move) => {
  const row = element("tr");
  const named = element("td");
  named.append(move.to != null ? link(move.name, [0, move.to]) : move.name);
  const chance = element("td", move.percent, { className: "bar" });
  chance.style.setProperty("--share", `${100 * move.chance}%`);
  const cells = [move.value ?? "–", move.range, move.nodes].map((text) => element("td", text));
  row.append(named, cells[0], cells[1], chance, cells[2]);
  return row;
}));
$("conspiracies").replaceChildren(...study.conspiracies.map(({ heading, members }, number) => {
  const whole = element("section");
  const list = element("ol");
  list.append(...members.map(({ path, fen, place, misjudged, expected }) => {
    const [item, board, words] = [element("li"), element("div"), element("div")];
    board.className = "board small";
    board.dataset.fen = fen;
    board.setAttribute("role", "img");
    const where = element("p");
    where.append(link(place, path));
    words.append(element("p", misjudged), where, element("p", expected, { className: "soft" }));
    item.append(board, words);
    return item;
  }));
  whole.append(element("p", `${number + 1}. ${heading}`), list);
  return whole;
}));
const more = study.all > study.positions.length ? `, ${study.positions.length} of them on this page` : "";
$("about").textContent = `${[`${study.all} positions${more}`, ...study.judges].join("; ")}.`;

$("root").addEventListener("click", () => { path.splice(1); show(); });
$("up").addEventListener("click", () => { path.splice(Math.max(1, path.length - 1)); show(); });
$("best").addEventListener("click", () => {
  const to = best(study.positions[path.at(-1)])?.to;
  if (to != null) { path.push(to); show(); }
});
$("flip").addEventListener("click", () => { turned = !turned; show(); });
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") $("up").click();
  if (event.key === "ArrowRight") $("best").click();
});
turned = study.positions[0].fen.split(" ")[1] === "b";
show();

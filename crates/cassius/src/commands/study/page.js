const study = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const path = [0];
let turned = false;

const element = (name, text, properties = {}) => Object.assign(document.createElement(name),
  { textContent: text ?? "" }, properties);

const link = (text, to, from) => {
  const button = element("button", text, { type: "button", className: "link" });
  button.addEventListener("click", () => {
    path.splice(0, path.length, ...(from ? [...path, to] : lineTo(to)));
    show();
    if (!from) $("board").scrollIntoView({ block: "nearest" });
  });
  return button;
};

// The positions from the root to one of them, by the fewest moves.
const lineTo = (goal) => {
  const before = new Map([[0, null]]);
  const waiting = [0];
  while (waiting.length > 0 && !before.has(goal)) {
    const at = waiting.shift();
    for (const { to } of study.positions[at].moves) {
      if (to != null && !before.has(to)) {
        before.set(to, at);
        waiting.push(to);
      }
    }
  }
  const line = [];
  for (let at = before.has(goal) ? goal : 0; at != null; at = before.get(at)) line.unshift(at);
  return line;
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
  $("line").textContent = `${at.line || "The position of the study"}: ${at.value ?? "not judged"}`;
  $("fen").textContent = at.fen;
  for (const board of document.querySelectorAll(".small")) draw(board, board.dataset.fen);
  $("moves").replaceChildren(...at.moves.map((move) => {
    const item = element("li");
    const text = `${move.san} ${move.value ?? "not judged"}`;
    item.append(move.to != null ? link(text, move.to, true) : element("span", text));
    if (move.repeats) item.append(" repeats a position");
    if (move.excluded) item.append(" left out");
    return item;
  }));
  const others = at.moves.length > 0 ? "Other moves" : "No move is followed";
  const told = at.leaf ? [at.leaf.value, at.leaf.line].filter((part) => part).join(", ") : "";
  $("leaf").textContent = at.leaf ? `${others}: ${told}`
    : at.over ? "The game is over." : at.moves.length > 0 ? "" : "Not judged yet.";
  $("up").disabled = $("root").disabled = path.length === 1;
  $("best").disabled = best(at)?.to == null;
};

$("sentence").textContent = study.sentence;
$("verdict").tBodies[0].replaceChildren(...study.moves.map((move) => {
  const row = element("tr");
  const named = element("td");
  named.append(move.to != null ? link(move.name, move.to) : move.name);
  const chance = element("td", move.percent, { className: "bar" });
  chance.style.setProperty("--share", `${100 * move.chance}%`);
  const cells = [move.value ?? "–", move.range, move.nodes].map((text) => element("td", text));
  row.append(named, cells[0], cells[1], chance, cells[2]);
  return row;
}));
$("conspiracies").replaceChildren(...study.conspiracies.map(({ heading, members }, number) => {
  const whole = element("section");
  const list = element("ol");
  list.append(...members.map(({ to, fen, place, misjudged, expected }) => {
    const [item, board, words] = [element("li"), element("div"), element("div")];
    board.className = "board small";
    board.dataset.fen = fen;
    board.setAttribute("role", "img");
    const where = element("p");
    where.append(to != null ? link(place, to) : place);
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
$("up").addEventListener("click", () => { path.pop(); show(); });
$("best").addEventListener("click", () => { path.push(best(study.positions[path.at(-1)]).to); show(); });
$("flip").addEventListener("click", () => { turned = !turned; show(); });
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft" && path.length > 1) $("up").click();
  if (event.key === "ArrowRight" && !$("best").disabled) $("best").click();
});
turned = study.positions[0].fen.split(" ")[1] === "b";
show();

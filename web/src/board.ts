// The board: chessground, by lichess.org, in place of the page's picture of a board.

import { Chessground } from "@lichess-org/chessground";
import type { Key, Role } from "@lichess-org/chessground/types";
import type { Picture } from "../../crates/insight/src/html/page.js";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";

/** A position as the rules tell it: see `cassius_page::place`. */
export interface Rules {
  fen: string;
  white: boolean;
  check: boolean;
  over: string | null;
  claim: string | null;
  moves: [uci: string, step: string][];
}

const ROLES: Record<string, Role> =
  { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const FILLS: Record<string, string> =
  { "□": "#1a7544", "?!": "#0a62a8", "?": "#9a4a00", "??": "#b3261e" };

/** Returns what draws the board, and what allows moves on it. `play` receives the move that a user makes. */
export const board = (place: HTMLElement, play: (step: string) => void) => {
  const inner = document.createElement("div");
  place.replaceChildren(inner);
  let rules: Rules | undefined;
  const ground = Chessground(inner, {
    coordinates: true,
    animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 150 },
    movable: { free: false, color: undefined, events: { after: (from, to) => moved(from, to) } },
    drawable: { enabled: true },
    addDimensionsCssVarsTo: place,
  });

  /** The moves from one square to another: several if a pawn may become one of several pieces. */
  const between = (from: string, to: string) =>
    rules?.moves.filter(([uci]) => uci.startsWith(from + to)) ?? [];
  const moved = (from: string, to: string) => {
    const found = between(from, to);
    if (found.length === 1) play(found[0][1]);
    else promote(found);
  };
  /** Allows the moves of a position. */
  const allow = (of: Rules) => {
    rules = of;
    const dests = new Map<Key, Key[]>();
    for (const [uci] of of.moves) {
      const [from, to] = [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
      dests.set(from, [...(dests.get(from) ?? []), to]);
    }
    const color = of.white ? "white" : "black";
    ground.set({ turnColor: color, check: of.check, movable: { color, dests } });
  };
  /** Asks which piece a pawn becomes. */
  const promote = (moves: [string, string][]) => {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", "The pawn becomes");
    dialog.className = "promotion";
    let chosen: string | undefined;
    for (const letter of "qrbn") {
      const move = moves.find(([uci]) => uci.endsWith(letter));
      if (!move) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = ROLES[letter];
      button.onclick = () => { chosen = move[1]; dialog.close(); };
      dialog.append(button);
    }
    dialog.onclose = () => {
      dialog.remove();
      if (chosen) play(chosen);
      else if (rules) {
        ground.set({ fen: rules.fen, lastMove: undefined });
        allow(rules);
      }
    };
    document.body.append(dialog);
    dialog.showModal();
  };

  return {
    draw: ({ pieces, moved, glyph, arrow, flipped }: Picture) => {
      const rows = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
        [..."abcdefgh"].map((file) => pieces.get(file + rank) ?? "1").join(""));
      const shapes = [
        ...(arrow.length > 0 ? [{ orig: arrow[0] as Key, dest: arrow[1] as Key, brush: "green" }] : []),
        ...(glyph ? [{ orig: moved[1] as Key, label: { text: glyph, fill: FILLS[glyph] } }] : []),
      ];
      ground.set({
        fen: rows.join("/"), orientation: flipped ? "black" : "white", lastMove: moved as Key[],
        check: false, drawable: { autoShapes: shapes },
      });
    },
    allow,
  };
};

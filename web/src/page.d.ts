// The page that `cassius annotate --html` writes: crates/insight/src/html/page.js.

declare module "*/html/page.js" {
  /** A move, and the squares that it changes with what stands there after it. */
  export interface Step { san: string; changes: [square: string, piece: string][] }
  /** A ply of the game, and moves of a line from there. */
  export interface Place { from: number; before: Step[] }
  export interface Worth { text: string | null; chance: number }
  export interface Line { moves: string[]; more: boolean; value: string | null; chance: number }
  /** What a position asks of a side. */
  export interface Asked {
    white: boolean; asked: string; lost: boolean; care: "" | "few" | "only"; legal: number; held: number;
    holding: string[]; traps: Line[]; best?: Line; error: number | null; errors: [number, number] | null;
    tempting: [string, number] | null;
  }
  export interface Move { san: string; white: boolean; number: number; fen: string; value?: Worth }
  export interface Game {
    players: { name: string }[]; result: string; start: string; moves: Move[]; value?: Worth;
  }
  /** What is to be drawn on the board. */
  export interface Picture {
    pieces: Map<string, string>; moved: string[]; glyph: string; arrow: string[]; flipped: boolean;
  }
  export interface App {
    board?(picture: Picture): void; changed?(): void; keep?(): void; name?: string;
  }
  type Children = (string | Node)[];
  export interface View {
    make(name: string, attributes?: Record<string, string | number>, ...children: Children): HTMLElement;
    button(
      attributes: Record<string, string | number>, press: () => void, ...children: Children
    ): HTMLElement;
    percent(chance: number): string;
    minus(value: string): string;
    sideOf(white: boolean): string;
    text(kind: string, ...children: Children): HTMLElement;
    step(text: string): Step;
    names(from: number, moves: Step[], first?: number): string[];
    rowsOf(side: Asked, place: Place, value: Worth, played?: string): HTMLElement[];
    play(step: string): void;
    place(): Place;
    at(): { index: number; ply: number; inLine: boolean; elsewhere: boolean };
    own(): HTMLElement[];
    open(games: Game[], at?: number): void;
    fill(index: number, what: Game | Move, at?: number): void;
    redraw(): void;
    value(of: Worth): void;
  }
  export function mount(games: Game[], app?: App): View;
}

// Who searches: workers of this browser, or the program that serves the page.

import type { Asked, Game, Line, Move, Worth } from "../../crates/insight/src/html/page.js";

/** See `cassius_page::Question`. */
export type Question =
  | { explain: { start: string; moves: string[]; nodes: number; elo: number } }
  | { annotate: { pgn: string; nodes: number } };

export interface Explained {
  headline: string;
  outlook: string | null;
  value: Worth;
  sides: [ExplainedSide, ExplainedSide | null];
  safety: { white: number | null; black: number | null };
  elo: number;
  judge: string;
  nodes: number;
  iteration: number;
}
export interface ExplainedSide extends Asked {
  number: number; best: Line; run: string[]; run_may_go_on: boolean;
}

/** See `cassius_page::Answer`. */
export interface Answer {
  explained?: { page: Explained };
  over?: { text: string };
  move?: { left: number; of: number; at: number; page: Move };
  left?: { left: number; of: number };
  game?: { page: Game; pgn: string; nodes: number };
  wrong?: { text: string };
}

/** A question that is being answered. */
export interface Task { done: Promise<void>; stop(): void }

export interface Search {
  /** The number of games that are annotated at the same time. A position is explained beside them. */
  places: number;
  ask(question: Question, tell: (answer: Answer) => void): Task;
}

/** The size of the transposition table of a search, in MiB. */
const TABLE = 16;

/** Workers of this browser, each with a search of its own. A search that is stopped ends with its worker. */
class Workers implements Search {
  #idle: Worker[] = [];
  #waiting: (() => void)[] = [];
  #running = 0;

  constructor(public places: number) {
    this.#keep(this.#start()); // what it loads is there when it is needed
  }

  /** Keeps a worker for the next question, unless it ends before: then it could not be loaded. */
  #keep(worker: Worker) {
    worker.onerror = () => { this.#idle = this.#idle.filter((each) => each !== worker); };
    this.#idle.push(worker);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.postMessage({ table: TABLE });
    return worker;
  }

  ask(question: Question, tell: (answer: Answer) => void): Task {
    let stop = () => {};
    const done = new Promise<void>((resolve) => {
      let worker: Worker | undefined;
      const game = "annotate" in question;
      const end = () => {
        worker = undefined; // it may go on to another question
        if (game) this.#running--;
        if (game) this.#waiting.shift()?.();
        resolve();
      };
      const broken = (text: string) => {
        worker?.terminate();
        tell({ wrong: { text } });
        end();
      };
      const begin = () => {
        if (game) this.#running++;
        const own = (worker = this.#idle.pop() ?? this.#start());
        own.onmessage = ({ data }: MessageEvent<string>) => {
          if (data !== "") { tell(JSON.parse(data)); return; }
          this.#keep(own);
          end();
        };
        own.onerror = (event) => broken(`The search ended: ${event.message || "it could not be loaded"}.`);
        own.postMessage({ question: JSON.stringify(question) });
      };
      stop = () => {
        const at = this.#waiting.indexOf(begin);
        if (at >= 0) { this.#waiting.splice(at, 1); resolve(); return; }
        if (!worker) return;
        worker.terminate();
        end();
        if (this.#idle.length === 0) this.#keep(this.#start());
      };
      if (!game || this.#running < this.places) begin();
      else this.#waiting.push(begin);
    });
    return { done, stop: () => stop() };
  }
}

/** Takes one of so many places, which all tabs of the page share. Returns what gives it back. */
const shared = (places: number, signal: AbortSignal) => new Promise<() => void>((resolve, reject) => {
  let taken = false;
  const take = (): Promise<void> | undefined => {
    if (taken) return undefined; // another place was free: this one goes back at once
    taken = true;
    return new Promise((free) => resolve(free));
  };
  for (let place = 0; place < places; place++) {
    navigator.locks.request(`cassius.place.${place}`, { signal }, take).catch(reject);
  }
});

/** The program that serves the page. Each answer is a line. */
class Program implements Search {
  #waiting: (() => void)[] = [];
  #running = 0;

  constructor(public places: number) {
    this.places = Math.min(places, 4); // a browser opens six connections to a host; two are for positions
  }

  ask(question: Question, tell: (answer: Answer) => void): Task {
    const control = new AbortController();
    const game = "annotate" in question;
    let stop = () => control.abort();
    const read = async () => {
      const response = await fetch("ask", {
        method: "POST", body: JSON.stringify(question), signal: control.signal,
      });
      if (!response.ok || !response.body) throw new Error(await response.text() || response.statusText);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      let ended = false;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop()!;
        for (const answer of lines.map((line): Answer => JSON.parse(line))) {
          ended ||= Boolean(answer.explained || answer.over || answer.game || answer.wrong);
          tell(answer);
        }
      }
      if (!ended) throw new Error("the answer broke off");
    };
    const done = new Promise<void>((resolve) => {
      const begin = async () => {
        if (game) this.#running++;
        let free = () => {};
        try {
          // Browsers have locks only where a page is from this machine, or encrypted.
          if (game && navigator.locks) free = await shared(this.places, control.signal);
          await read();
        } catch (error) {
          const { message } = error as Error;
          if (!control.signal.aborted) tell({ wrong: { text: `The program does not answer: ${message}` } });
        }
        free();
        if (game) this.#running--;
        if (game) this.#waiting.shift()?.();
        resolve();
      };
      stop = () => {
        const at = this.#waiting.indexOf(begin);
        if (at >= 0) { this.#waiting.splice(at, 1); resolve(); }
        control.abort();
      };
      if (!game || this.#running < this.places) begin();
      else this.#waiting.push(begin);
    });
    return { done, stop: () => stop() };
  }
}

/** Who searches: `browser`, or `program` and the number of its places. */
export const [searcher, served] =
  document.querySelector<HTMLMetaElement>("meta[name=searcher]")?.content.split(" ") ?? ["browser"];

/** Returns who searches, with that many places in a browser. */
export const search = (places: number): Search =>
  (searcher === "program" ? new Program(Number(served)) : new Workers(places));

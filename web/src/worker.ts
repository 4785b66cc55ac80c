// A search in a worker. It receives the size of its table once, and then questions. It sends each answer as
// JSON, and an empty text at the end.

import init, { Searcher } from "../pkg/cassius_page.js";
import wasm from "../pkg/cassius_page_bg.wasm?url";

let searcher: Promise<Searcher>;

const start = async (table: number) => {
  await init({ module_or_path: wasm });
  return new Searcher(table);
};

self.onmessage = async ({ data }: MessageEvent<{ table?: number; question?: string }>) => {
  if (data.table !== undefined) { searcher = start(data.table); return; }
  try {
    const desk = await searcher;
    desk.answer(data.question!, (answer: string) => { self.postMessage(answer); });
    self.postMessage("");
  } catch (error) {
    // Not caught: the page hears of it, and replaces the worker.
    setTimeout(() => { throw error; });
  }
};

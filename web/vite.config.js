// Builds the page into `dist`: the page of `cassius annotate --html`, with a board to play on and a search.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const POLICY = [
  "default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
].join("; ");

/** The markup of the annotated page, with the app in place of data and script. */
const page = () => {
  const text = readFileSync(new URL("../crates/insight/src/html/page.html", import.meta.url), "utf8");
  const head = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="description" content="Chess positions and games explained on your own machine: which moves hold,
what tempts, and who has to be careful.">
<meta name="searcher" content="browser">
<link rel="icon" href="./icon.svg" type="image/svg+xml">
<link rel="manifest" href="./app.webmanifest">`;
  return text
    .replace("{title}", "Cassius")
    .replace(/<style>[^]*?<\/style>/, head)
    .replace(/<script type="application\/json"[^]*?<\/script>/, "")
    .replace(/<script type="module">[^]*?<\/script>/, '<script type="module" src="/src/main.ts"></script>');
};

/** Writes the list of all files into the service worker, so that the page works without a network. */
const offline = {
  name: "offline",
  generateBundle(_, bundle) {
    const own = ["icon.svg", "app.webmanifest"];
    const files = ["./", ...Object.keys(bundle), ...own].filter((name) => name !== "index.html");
    // Whatever changes, it is another version.
    const hash = createHash("sha256").update(page());
    for (const name of own) hash.update(readFileSync(new URL(`public/${name}`, import.meta.url)));
    for (const file of Object.values(bundle)) hash.update(file.type === "chunk" ? file.code : file.source);
    const source = readFileSync(new URL("src/offline.js", import.meta.url), "utf8")
      .replace("[/* files */]", JSON.stringify(files))
      .replace("/* version */", hash.digest("hex").slice(0, 16));
    this.emitFile({ type: "asset", fileName: "offline.js", source });
  },
};

export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: "es" },
  server: { fs: { allow: [".."] } },
  plugins: [
    { name: "page", transformIndexHtml: { order: "pre", handler: page } },
    offline,
  ],
});

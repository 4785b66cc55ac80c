// The service worker: keeps every file of the page, so that it works without a network.

const FILES = [/* files */];
const NAME = "cassius /* version */";

// The files come from the network, and not from what the browser itself has kept of them. The next version
// waits until no page of this one is open, since an open page may still need its own files.
self.addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("cassius ") && name !== NAME);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

// The page itself from the network where there is one, so that it is never an old one; its files, whose names
// change with what they contain, from what is kept.
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const kept = () => caches.match(event.request, { ignoreSearch: true });
  const fetched = () => fetch(event.request);
  event.respondWith(event.request.mode === "navigate"
    ? fetched().catch(() => caches.match("./"))
    : kept().then((found) => found || fetched()));
});

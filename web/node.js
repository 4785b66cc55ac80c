// Fails unless this Node.js can build the page: what Vite 8 asks for.
const version = process.versions.node;
const [major, minor] = version.split(".").map(Number);
const fits = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
if (!fits) {
  console.error(`error: the page needs Node.js 20 from 20.19 on, or 22.12 or later; this is ${version}`);
  process.exitCode = 1;
}

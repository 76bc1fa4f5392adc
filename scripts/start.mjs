// Nothing may be imported statically here: an old Node would fail before the version check.
const HELP = `npm start      builds everything that is missing or out of date, and starts Imprint
npm run dev    the same in development mode: pages reload, and the server restarts when its modules change

Configured by DATA_DIR (.data), PORT (3000) and the other variables in docs/operations.md. Ctrl-C stops it.`;

async function main() {
  const { refuseOldNode } = await import("./start/node-version.mjs");
  refuseOldNode();
  if (process.argv.includes("--help")) {
    console.log(HELP);
    return;
  }
  const { refuseSmallHeap } = await import("./start/heap.mjs");
  refuseSmallHeap();
  const { ROOT } = await import("./build/layout.mjs");
  process.chdir(ROOT);
  const { refuseSecondStart, resolvePort } = await import("./start/checks.mjs");
  refuseSecondStart();
  await resolvePort();
  // Disables telemetry of everything that the service runs.
  process.env["NEXT_TELEMETRY_DISABLED"] = "1";
  if (process.argv.includes("--dev")) {
    const { runDevelopment } = await import("./start/development.mjs");
    return runDevelopment();
  }
  Object.assign(process.env, { NODE_ENV: "production" });
  const { ensureBuilt } = await import("./build/ensure.mjs");
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: console.log });
  const { buildLayout } = await import("./build/layout.mjs");
  const { pathToFileURL } = await import("node:url");
  await import(pathToFileURL(buildLayout().server).href);
}

main().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

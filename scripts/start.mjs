// Nothing may be imported statically here: an old Node would fail before it can be told so.
const LEAST_NODE = [20, 19];

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  console.error(
    `Imprint needs Node.js ${LEAST_NODE.join(".")} or newer; this is ${process.versions.node}. Install it from https://nodejs.org/ and try again.`,
  );
  process.exit(1);
}

async function main() {
  refuseOldNode();
  const { ROOT } = await import("./build/layout.mjs");
  process.chdir(ROOT);
  const { refuseSecondStart, resolvePort } = await import("./start/checks.mjs");
  refuseSecondStart();
  await resolvePort();
  // Nothing that the service runs reports to anybody.
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  if (process.argv.includes("--dev")) {
    const { runDevelopment } = await import("./start/development.mjs");
    return runDevelopment();
  }
  process.env.NODE_ENV = "production";
  const { ensureBuilt } = await import("./build/ensure.mjs");
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: (line) => console.log(line) });
  const { buildLayout } = await import("./build/layout.mjs");
  const { pathToFileURL } = await import("node:url");
  await import(pathToFileURL(buildLayout().server).href);
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

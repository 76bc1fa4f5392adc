import os from "node:os";
import { parseArgs } from "node:util";

process.env.IMPRINT_BUILD_DIR ||= ".test";

const { loadRules, startService } = await import("./bench-risk/service.mjs");

const HELP = `npm run test:remote -- [options]

Starts the service with a page that any device on the local network can open, prints the page's
address, and shows the Report of each visit with the rules and values behind it. For browsers and
phones that no test can run. Nothing is kept at the end.

  --address ADDRESS  the address of this machine to listen on; default: its first on a local network
  --json             one line of JSON with the address, then one for each visit
  --help             this text
Ctrl-C stops it.`;

const { values: options } = parseArgs({
  options: { address: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } },
});

const say = (line) => (options.json ? process.stderr : process.stdout).write(`${line}\n`);
const tell = (facts) => options.json && process.stdout.write(`${JSON.stringify(facts)}\n`);

function localAddress() {
  const all = Object.values(os.networkInterfaces()).flat();
  const found = all.find((one) => one?.family === "IPv4" && !one.internal)?.address;
  if (found === undefined) throw new Error("This machine has no address on a local network; name one with --address.");
  return found;
}

const page = (environmentId) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Imprint: test of this device</title>
<h1>Test of this device</h1><p id="state" role="status">Running</p>
<script src="/v1/imprint.js"></script>
<script>
Imprint.createImprint({ environmentId: "${environmentId}" }).run().then(
  ({ imprint }) => { document.getElementById("state").textContent = "Done. The Report stands in the terminal: " + imprint; },
  (error) => { document.getElementById("state").textContent = "Failed: " + error.code; });
</script></html>`;

function show(report, evidence, profile) {
  say(
    `\n${report.browser.name ?? "Unknown browser"} ${report.browser.version ?? ""} on ${report.operating_system.name ?? "unknown system"} ${report.operating_system.version ?? ""}`,
  );
  say(`${report.risk.status}  ${report.risk.reasons.join(", ") || "no finding"}  (privacy profile: ${profile})`);
  for (const { ruleId, status, compared } of evidence) {
    say(`  ${ruleId}: ${status}`);
    for (const { label, value, isOdd } of compared) say(`    ${isOdd ? "!" : " "} ${label}: ${value}`);
  }
  say(JSON.stringify(report, null, 2));
}

let service;
let isStopping = false;

async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  await service?.stop();
  process.exit(code);
}

async function main() {
  if (options.help) return void console.log(HELP);
  const rules = await loadRules();
  const onVisit = async (imprint) => {
    try {
      const report = await service.reportOf(imprint);
      const { evidence, profile } = rules.assess(service.captureOf(imprint));
      tell({ report, evidence, profile });
      show(report, evidence, profile);
    } catch (error) {
      say(error.message);
    }
  };
  service = await startService({
    address: options.address ?? localAddress(),
    originOf: (url) => url,
    pageOf: (target) => (target === "/" && service ? page(service.environmentId) : undefined),
    onVisit: (imprint) => void onVisit(imprint),
    say,
  });
  tell({ url: service.url });
  say(`\nOpen this address on the device to test, in the same network:\n\n  ${service.url}/\n
Over plain http browsers keep client hints back, which is no finding. Ctrl-C stops it.`);
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
main().catch((error) => {
  say(error.message);
  return stop(1);
});

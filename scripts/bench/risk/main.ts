import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

process.env.IMPRINT_BUILD_DIR ||= ".test";

const { findPrograms, openTools, programVersions } = await import("./bench-risk/equipment.mjs");
const { judge, print, summarise } = await import("./bench-risk/report.mjs");
const { isReplay, runReplays } = await import("./bench-risk/replays/run.mjs");
const { loadRules, startService } = await import("./bench-risk/service.mjs");
const { bundlePeers, openSite } = await import("./bench-risk/site.mjs");
const { lackingOf, screensOf, visitAll } = await import("./bench-risk/visits.mjs");
const { ROOT } = await import("./build/layout.mjs");
const { bareChromiumVariants } = await import("./bench-risk/variants/bare-chromium.mjs");
const { claimVariants } = await import("./bench-risk/variants/claims.mjs");
const { cleanVariants } = await import("./bench-risk/variants/clean.mjs");
const { otherDriverVariants } = await import("./bench-risk/variants/other-drivers.mjs");
const { playwrightVariants } = await import("./bench-risk/variants/playwright.mjs");
const { puppeteerVariants } = await import("./bench-risk/variants/puppeteer.mjs");
const { quietDriverVariants } = await import("./bench-risk/variants/quiet-drivers.mjs");
const { seleniumVariants } = await import("./bench-risk/variants/selenium.mjs");

const HELP = `npm run bench:risk -- [options]

Visits a page of the real service with every automation tool and every clean browser that npm and
Debian have, and prints verdict and reasons of each visit beside what BotD and fpscanner say.
Tools go into .test/bench-risk; on Debian, as root, missing browsers are installed. What could not
be installed or run is named at the end. Then it sends what its own browsers answered again, as
somebody without a browser would. Every share has its 95 % interval (Wilson).

  --only TEXT      the visits and replays whose name contains TEXT
  --part PART      design: those on which rules are written; hold-out: the others
  --captures DIR   write what each browser sent to DIR, one JSON file a visit
  --json           print one JSON object
  --check          exit 1 when a figure is missed or a visit failed
  --help           this text`;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    part: { type: "string" },
    captures: { type: "string" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

const say = (text) => process.stderr.write(`${text}\n`);

const ALL = [
  ...puppeteerVariants,
  ...playwrightVariants,
  ...seleniumVariants,
  ...otherDriverVariants,
  ...bareChromiumVariants,
  ...claimVariants,
  ...quietDriverVariants,
  ...cleanVariants,
];

function chosenVariants() {
  const isKnown = options.part === undefined || ["design", "hold-out"].includes(options.part);
  if (!isKnown) throw new Error("--part is design or hold-out.");
  return ALL.filter(
    ({ id, part, address }) =>
      (options.part === undefined || part === options.part) &&
      (id.includes(options.only) || (address !== undefined && isReplay(options.only))),
  );
}

function writeCaptures(results, visitOf) {
  if (options.captures === undefined) return;
  fs.mkdirSync(options.captures, { recursive: true });
  for (const { id, capture } of results)
    fs.writeFileSync(path.join(options.captures, `${id}.json`), `${JSON.stringify(visitOf(capture), null, 2)}\n`);
}

/** What has to be undone, the last first. @type {(() => Promise<unknown> | unknown)[]} */
const undo = [];

async function main() {
  if (options.help) return void console.log(HELP);
  const startedAt = performance.now();
  const chosen = chosenVariants();
  const { programs, missing } = await findPrograms(say);
  const tools = await openTools(say);
  const kit = { programs, tools };
  const skipped = chosen.map((variant) => ({ id: variant.id, lacking: lackingOf(variant, kit) }));
  const runnable = chosen.filter((variant) => lackingOf(variant, kit).length === 0);
  const rules = await loadRules();
  const site = await openSite(await bundlePeers(ROOT, tools.folder));
  undo.push(() => site.close());
  const service = await startService({ originOf: () => site.origin, say });
  undo.push(() => service.stop());
  site.configure({ imprintUrl: service.url, environmentId: service.environmentId });
  const screens = screensOf(programs.xvfb);
  undo.push(() => screens.close());
  const { results, failures } = await visitAll(runnable, { kit, site, screens, service, rules }, say);
  writeCaptures(results, rules.visitOf);
  const captures = results.filter(({ isReplayed }) => isReplayed).map(({ capture }) => capture);
  const { replays, failures: failedAttacks } = await runReplays({ captures, service, only: options.only, say });
  const summary = summarise(results);
  const figures = judge(summary, replays);
  const report = {
    date: new Date().toISOString().slice(0, 10),
    versions: { ...(await programVersions(programs)), ...tools.versions },
    rulesVersion: rules.version,
    results: results.map(({ capture: _capture, ...row }) => row),
    summary,
    replays,
    figures,
    missing: [...missing, ...tools.missing],
    skipped: skipped.filter(({ lacking }) => lacking.length > 0),
    failures: [...failures, ...failedAttacks],
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  };
  if (options.json) console.log(JSON.stringify(report));
  else print(report);
  if (options.check && (report.failures.length > 0 || figures.some(({ isMet }) => !isMet))) process.exitCode = 1;
}

async function stop(code) {
  for (const step of undo.splice(0).reverse()) await step();
  if (code !== undefined) process.exit(code);
}

process.on("SIGINT", () => void stop(130));
process.on("SIGTERM", () => void stop(143));
// A driver that lost its browser rejects in a place of its own.
process.on("unhandledRejection", (error) => say(`late: ${error?.message ?? error}`));
try {
  await main();
} finally {
  await stop();
}
process.exit();

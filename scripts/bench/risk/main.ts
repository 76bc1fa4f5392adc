import fs from "node:fs";
import path from "node:path";

import { RULES_VERSION } from "@/lib/visits/risk";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../../common/command";
import { useTestBuild } from "../../common/processes";
import { isReplay, runReplays } from "./replays/run";
import { compareFigures, linesOf, summarise } from "./report";
import { startVisitedService, visitOf } from "./service";
import { bundlePeers, openSite } from "./site";
import { findPrograms, openTools, programVersions } from "./tools";
import type { Variant } from "./variant";
import { bareChromiumVariants } from "./variants/bare-chromium";
import { claimVariants } from "./variants/claims";
import { cleanVariants } from "./variants/clean";
import { otherDriverVariants } from "./variants/other-drivers";
import { playwrightVariants } from "./variants/playwright";
import { puppeteerVariants } from "./variants/puppeteer";
import { quietDriverVariants } from "./variants/quiet-drivers";
import { seleniumVariants } from "./variants/selenium";
import { lackingOf, type Result, screensOf, visitAll } from "./visits";

const ALL: readonly Variant[] = [
  ...puppeteerVariants,
  ...playwrightVariants,
  ...seleniumVariants,
  ...otherDriverVariants,
  ...bareChromiumVariants,
  ...claimVariants,
  ...quietDriverVariants,
  ...cleanVariants,
];

type Options = { only: string; part?: string | undefined; captures?: string | undefined };

function chosenVariants({ only, part: wanted }: Options): Variant[] {
  if (wanted !== undefined && wanted !== "design" && wanted !== "hold-out")
    throw new Error("--part must be design or hold-out.");
  return ALL.filter(
    ({ id, part, address }) =>
      (wanted === undefined || part === wanted) && (id.includes(only) || (address !== undefined && isReplay(only))),
  );
}

function writeCaptures(folder: string, results: readonly Result[]): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const { id, capture } of results)
    fs.writeFileSync(path.join(folder, `${id}.json`), `${JSON.stringify(visitOf(capture), null, 2)}\n`);
}

async function measure(options: Options, cleanUp: CleanUp) {
  const startedAt = performance.now();
  const chosen = chosenVariants(options);
  const { programs, missing } = await findPrograms(progress);
  const tools = await openTools(progress);
  const kit = { programs, tools };
  const variants = chosen.map((variant) => ({ variant, lacking: lackingOf(variant, kit) }));
  const site = await openSite(await bundlePeers(tools.folder), cleanUp);
  const service = await startVisitedService({ originOf: () => site.origin, log: progress, cleanUp });
  site.configure({ imprintUrl: service.url, environmentId: service.environmentId });
  const screens = screensOf(programs.xvfb);
  cleanUp.push(screens.close);
  const runnable = variants.filter(({ lacking }) => lacking.length === 0).map(({ variant }) => variant);
  const { results, failures } = await visitAll(runnable, { kit, site, screens, service });
  if (options.captures !== undefined) writeCaptures(options.captures, results);
  const captures = results.filter(({ isReplayed }) => isReplayed).map(({ capture }) => capture);
  const { replays, failures: failedAttacks } = await runReplays(captures, service, options.only);
  const summary = summarise(results);
  return {
    date: new Date().toISOString().slice(0, 10),
    versions: { ...(await programVersions(programs)), ...tools.versions },
    rulesVersion: RULES_VERSION,
    results: results.map(({ capture: _capture, ...row }) => row),
    summary,
    replays,
    figures: compareFigures(summary, replays),
    missing: [...missing, ...tools.missing],
    skipped: variants
      .filter(({ lacking }) => lacking.length > 0)
      .map(({ variant: { id }, lacking }) => ({ id, lacking })),
    failures: [...failures, ...failedAttacks],
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  };
}

// A driver that lost its browser may reject a promise that nothing awaits.
process.on("unhandledRejection", (error) => {
  progress(`late: ${error instanceof Error ? error.message : String(error)}`);
});

await runCommand({
  name: "bench:risk",
  about:
    "Visits a page of the real service with every automation tool and every clean browser available from npm and Debian, and prints the verdict and reasons of each visit next to the results of BotD and fpscanner. Tools are installed into .test/bench-risk; on Debian, as root, missing browsers are installed. Anything that could not be installed or run is listed at the end. Afterwards it replays the captured visits as an attacker without a browser would. Every share is given with its 95 % interval (Wilson).",
  options: {
    only: { type: "string", default: "", value: "TEXT", about: "only visits and replays whose name contains TEXT" },
    part: {
      type: "string",
      value: "PART",
      about: "design: visits that the rules were written on; hold-out: the others",
    },
    captures: { type: "string", value: "DIR", about: "write what each browser sent to DIR, one JSON file per visit" },
    json: JSON_OPTION,
    check: { ...CHECK_OPTION, about: "exit with 1 if a figure is missed or a visit failed" },
  },
  async run(values, cleanUp) {
    useTestBuild();
    const report = await measure(values, cleanUp);
    console.log(values.json ? JSON.stringify(report) : linesOf(report).join("\n"));
    return values.check && (report.failures.length > 0 || report.figures.some(({ isMet }) => !isMet)) ? 1 : 0;
  },
});

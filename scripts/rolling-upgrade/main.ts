import { setTimeout as delay } from "node:timers/promises";

import { makeDataDir, removeDataDir, runAdmin, startService, stopService } from "@/e2e/process/service";
import { readReport, requestChallenge, type Site, submissionBody, submit, TEST_SECRETS } from "@/e2e/service";
import { ensureBuilt } from "../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, lineWriter, progress, runCommand } from "../common/command";
import { printOutcome, textTable } from "../common/report";
import { countStatuses, openServer } from "../faults/service-under-test";
import { checkOut } from "./previous-release";
import { createSiteBy } from "../common/site";

type Start = { databaseUrl: string; folder?: string };

/** Starts a service of this checkout, or of the one in `folder`, on the database; returns it with its commands. */
async function start({ databaseUrl, folder }: Start, cleanUp: CleanUp) {
  const dataDir = makeDataDir();
  const environment = { ...TEST_SECRETS, DATABASE_URL: databaseUrl };
  // Through npm, because another release may have a different entry file.
  const cwd = folder === undefined ? {} : { cwd: folder, byNpm: true };
  const service = await startService({ dataDir, environment, ...cwd });
  const stop = async () => {
    await stopService(service);
    removeDataDir(dataDir);
  };
  cleanUp.push(stop);
  const admin = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runAdmin(argv, { dataDir, environment, ...cwd });
    return { code, output: code === 0 ? (JSON.parse(stdout) as unknown) : stderr };
  };
  return { url: service.url, admin, stop };
}

type Running = Awaited<ReturnType<typeof start>>;

const createSite = ({ admin }: Running): Promise<Site> =>
  createSiteBy(async (...args) => (await admin(...args)).output);

/** Makes visits through each of the services in turn and reads their Reports until `isOver`; returns the statuses. */
async function use(services: readonly Running[], site: Site, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  const imprints: string[] = [];
  for (let number = 0; !isOver(); number += 1) {
    const { url } = services[number % services.length] ?? { url: "" };
    const issued = await requestChallenge(url, site);
    const answer = await submit(url, site, submissionBody(site, issued));
    statuses.push(answer.status);
    const { imprint } = (await answer.json()) as { imprint?: string };
    if (imprint !== undefined) imprints.push(imprint);
    for (const reader of services)
      for (const read of [imprint, imprints[0]])
        if (read !== undefined) statuses.push((await readReport(reader.url, site.apiKey, read)).status);
    await delay(100); // below the rate limit of a client IP
  }
  return statuses;
}

const forSeconds = (seconds: number) => {
  const endsAt = performance.now() + seconds * 1000;
  return () => performance.now() > endsAt;
};

type Phases = Record<string, number[]>;

async function upgrade(from: string, seconds: number, cleanUp: CleanUp) {
  const folder = checkOut(from, cleanUp);
  const { url: databaseUrl } = await openServer(cleanUp);
  const old = await start({ databaseUrl, folder }, cleanUp);
  const site = await createSite(old);
  progress("the previous version serves");
  const phases: Phases = { before: await use([old], site, forSeconds(2)) };
  let isMigrated = false;
  const during = use([old], site, () => isMigrated);
  const dataDir = makeDataDir();
  const environment = { ...TEST_SECRETS, DATABASE_URL: databaseUrl };
  const migration = await runAdmin(["migrate"], { dataDir, environment }).finally(() => {
    isMigrated = true;
    removeDataDir(dataDir);
  });
  phases["while this version migrates"] = await during;
  phases["the previous version on the new schema"] = await use([old], site, forSeconds(seconds));
  if (migration.code !== 0) return { phases, refusal: migration.stderr.trim() };
  const next = await start({ databaseUrl }, cleanUp);
  progress("both serve");
  phases["both"] = await use([old, next], site, forSeconds(seconds));
  await old.stop();
  phases["this version alone"] = await use([next], site, forSeconds(2));
  return { phases, refusal: undefined };
}

await runCommand({
  name: "rolling-upgrade",
  about:
    "Starts a previous commit of this repository on an empty database, migrates the database to this version while it runs, and sends visits and Report reads through the previous version, both, and this version. If a migration requires a stop, it must be refused, and the previous version must keep working.",
  options: {
    from: { type: "string", value: "REF", about: "the previous version: a git tag or commit" },
    seconds: { type: "number", default: 5, about: "duration of the traffic in each phase" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    if (values.from === undefined) throw new Error("--from must name a tag or a commit; see --help.");
    await ensureBuilt(["component", "documents", "bundles", "pages"], { say: lineWriter(true) });
    const { phases, refusal } = await upgrade(values.from, values.seconds, cleanUp);
    const failed = Object.entries(phases).flatMap(([phase, statuses]) => {
      const other = statuses.filter((status) => status !== 200 && status !== 201 && status !== 429);
      return other.length === 0 ? [] : [`${phase}: ${JSON.stringify(countStatuses(other))}`];
    });
    return printOutcome(values, {
      result: {
        phases: Object.fromEntries(Object.entries(phases).map(([name, all]) => [name, countStatuses(all)])),
        refusal,
      },
      misses: failed,
      lines: () => [
        ...textTable(
          ["Phase", "answers", "by status"],
          Object.entries(phases).map(([name, all]) => [name, all.length, JSON.stringify(countStatuses(all))]),
        ),
        ...(refusal === undefined ? [] : ["", `Refused, because a stop is required: ${refusal}`]),
      ],
    });
  },
});

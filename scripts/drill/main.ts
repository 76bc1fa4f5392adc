import { CHECK_OPTION, JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { ensureBuilt } from "../build/ensure.mjs";
import { useTestBuild } from "../common/processes";
import { printOutcome } from "../common/report";
import { drillPgBackRest } from "./pgbackrest";
import { drillRelease, releasedVersions } from "./releases";
import { drillToday } from "./today";

await runCommand({
  name: "drill",
  about: `Tests disaster recovery: backs up an installation while the service runs, destroys it, restores it, and compares the hash of each table and the Reports it returns. Repeats this with the database of each release, upgrading it to this version; with an external PostgreSQL server; and with pgBackRest point-in-time recovery.`,
  options: {
    only: {
      type: "string",
      multiple: true,
      value: "PART",
      about: "today, pgbackrest or a release such as 0.1.0; can be repeated",
    },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run({ only, json, check }, cleanUp) {
    useTestBuild();
    const say = lineWriter(json);
    await ensureBuilt(["component", "documents", "bundles", "pages"], { say });
    const parts = new Map([
      ["today", (step: (line: string) => void) => drillToday(cleanUp, step)],
      ...releasedVersions().map(
        (version) => [version, (step: (line: string) => void) => drillRelease(version, cleanUp, step)] as const,
      ),
      ["pgbackrest", (step: (line: string) => void) => drillPgBackRest(cleanUp, step)],
    ]);
    const unknown = only?.find((name) => !parts.has(name));
    if (unknown !== undefined) throw new Error(`--only ${unknown}: expected one of ${[...parts.keys()].join(", ")}.`);
    const results: { part: string; seconds: number; failure: string | null }[] = [];
    for (const [part, run] of parts) {
      if (only && !only.includes(part)) continue;
      const startedAt = performance.now();
      let failure: string | null = null;
      try {
        await run((line) => {
          say(`${part}: ${line}`);
        });
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
      results.push({ part, seconds: Number(((performance.now() - startedAt) / 1000).toFixed(1)), failure });
    }
    const misses = results.flatMap(({ part, failure }) => (failure === null ? [] : [`${part}: ${failure}`]));
    return printOutcome(
      { json, check: check ?? true },
      {
        result: { results },
        misses,
        lines: () =>
          results.map(({ part, seconds, failure }) => `${failure === null ? "ok" : "FAILED"}  ${part}  ${seconds} s`),
      },
    );
  },
});

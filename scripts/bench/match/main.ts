import { connect } from "@/db/client";
import { openDisposable } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { publishSecrets } from "@/lib/platform/secrets";
import { createWorkspace } from "@/lib/tenancy/workspaces";
import { now } from "@/lib/platform/clock";
import { CHECK_OPTION, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../../common/command";
import { seededRandom } from "../../common/random";
import { printOutcome, textTable } from "../../common/report";
import { measureSize, type SizeResult } from "./measure";
import { drawSample } from "./sample";
import { seedDevices } from "./seed-devices";
import { connectTo } from "../../common/connection";

/** Maximum ratio of the largest p99 to the smallest. */
const MAX_P99_RATIO = 2;

async function measureAll({ sizes, visits, seed }: { sizes: number[]; visits: number; seed: number }) {
  const key = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
  publishSecrets({ authSecret: "bench", keyPepper: key, keks: key });
  const server = await openDisposable(undefined);
  try {
    await migrateDatabase(server.url, "db/migrations");
    const connection = connect({ url: server.url, poolSize: 2, prepare: true, applicationName: "imprint-bench" });
    const admin = connectTo(server.url);
    const context = { db: connection.db, now: now(), actor: { kind: "operator" } as const };
    const { workspaceId } = await createWorkspace(context, { name: "Benchmark", plan: "enterprise" });
    const random = seededRandom(seed);
    progress("drawing browsers");
    const sample = drawSample(random);
    const target = { ...connection, admin, workspaceId, sample, random, say: progress };
    const results: SizeResult[] = [];
    let seeded = 0;
    for (const size of sizes) {
      await seedDevices(target, seeded, size);
      seeded = size;
      results.push(await measureSize(target, size, visits));
    }
    await connection.close();
    await admin.end({ timeout: 5 });
    return results;
  } finally {
    await server.stop();
  }
}

const tableOf = (results: readonly SizeResult[]) =>
  textTable(
    ["devices", "search p50", "p95", "p99", "link p50", "p95", "p99", "a key", "linked", "family scan", "MB"],
    results.map(({ devices, search, link, candidates, linked, familyScanMs, megabytes }) => [
      devices,
      ...[search, link].flatMap(({ p50, p95, p99 }) => [p50, p95, p99].map((ms) => ms.toFixed(2))),
      candidates.toFixed(1),
      `${(linked * 100).toFixed(0)} %`,
      familyScanMs.toFixed(0),
      megabytes,
    ]),
  );

await runCommand({
  name: "bench:match",
  about: "Measures how long it takes to find and link a device among many, in a temporary database.",
  options: {
    sizes: {
      type: "numbers",
      default: "10000,100000,1000000",
      about: "numbers of devices in the workspace, ascending",
    },
    visits: { type: "number", default: 2000, about: "measured visits per size" },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    const results = await measureAll(values);
    const ratio = (results.at(-1)?.search.p99 ?? Number.NaN) / (results[0]?.search.p99 ?? Number.NaN);
    return printOutcome(values, {
      result: { results, ratio },
      misses:
        ratio <= MAX_P99_RATIO
          ? []
          : [`p99 at the largest size is ${ratio} x that at the smallest, above ${MAX_P99_RATIO}`],
      lines: () => [
        ...tableOf(results),
        "Milliseconds; one connection. Search: candidates are fetched and scored. Link: the visit is recorded and its keys are moved.",
        `p99 at the largest size / at the smallest: ${ratio.toFixed(2)} (at most ${MAX_P99_RATIO})`,
      ],
    });
  },
});

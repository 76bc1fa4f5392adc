import { parseArgs } from "node:util";

import postgres from "postgres";

import { connect } from "@/db/client";
import { openDisposable } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { publishSecrets } from "@/lib/platform/secrets";
import { createWorkspace } from "@/lib/tenancy/workspaces";
import { now } from "@/lib/platform/clock";
import { drawSample } from "./bench-match/sample";
import { measureSize, type SizeResult } from "./bench-match/measure";
import { seedDevices } from "./bench-match/seed-devices";
import { seededRandom } from "./bench-identity/random";

/** The largest p99 may be so many times the smallest one's. */
const P99_RATIO_MAX = 2;

const HELP = `npm run bench:match -- [options]

  --sizes N,N    devices in the workspace, growing (10000,100000,1000000)
  --visits N     visits measured at each size (2000)
  --seed N       chance (1)
  --json         one JSON object on stdout
  --check        exit 1 when p99 of the last size is above ${P99_RATIO_MAX} x that of the first
  --help

It starts a database of its own, which is deleted afterwards.`;

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    visits: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const progress = (text: string) => {
  process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(70)}` : `${text}\n`);
};

async function measureAll(): Promise<SizeResult[]> {
  const key = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
  publishSecrets({ authSecret: "bench", keyPepper: key, keks: key });
  const server = await openDisposable(undefined);
  try {
    await migrateDatabase(server.url, "db/migrations");
    const connection = connect({ url: server.url, poolSize: 2, prepare: true, applicationName: "imprint-bench" });
    const admin = postgres(server.url, { max: 1, fetch_types: false, onnotice: () => undefined });
    const context = { db: connection.db, now: now(), actor: { kind: "operator" } as const };
    const { workspaceId } = await createWorkspace(context, { name: "Benchmark", plan: "enterprise" });
    const random = seededRandom(Number(options.seed));
    progress("drawing browsers");
    const sample = drawSample(random);
    const target = { ...connection, admin, workspaceId, sample, random, say: progress };
    const results: SizeResult[] = [];
    let seeded = 0;
    for (const size of options.sizes.split(",").map(Number)) {
      await seedDevices(target, seeded, size);
      seeded = size;
      results.push(await measureSize(target, size, Number(options.visits)));
    }
    await connection.close();
    await admin.end({ timeout: 5 });
    return results;
  } finally {
    await server.stop();
  }
}

function print(results: readonly SizeResult[]): void {
  console.log(
    `\n${["devices", "search p50", "p95", "p99", "link p50", "p95", "p99", "a key", "linked", "family scan", "MB"].map((title) => title.padStart(12)).join("")}`,
  );
  for (const { devices, search, link, candidates, linked, familyScanMs, megabytes } of results) {
    const times = [search, link].flatMap(({ p50, p95, p99 }) => [p50, p95, p99].map((ms) => ms.toFixed(2)));
    const cells = [
      devices,
      ...times,
      candidates.toFixed(1),
      `${(linked * 100).toFixed(0)} %`,
      familyScanMs.toFixed(0),
      megabytes,
    ];
    console.log(cells.map((cell) => String(cell).padStart(12)).join(""));
  }
  console.log(
    "Milliseconds; one connection. Search: candidates fetched and weighed. Link: the visit recorded, keys moved.",
  );
}

if (options.help) console.log(HELP);
else {
  const results = await measureAll();
  const [first, last] = [results[0], results.at(-1)];
  const ratio = first && last ? last.search.p99 / first.search.p99 : Number.NaN;
  if (options.json) console.log(JSON.stringify({ results, ratio }));
  else {
    print(results);
    console.log(`p99 of the largest / of the smallest: ${ratio.toFixed(2)} (at most ${P99_RATIO_MAX})`);
  }
  if (options.check && !(ratio <= P99_RATIO_MAX)) process.exitCode = 1;
}

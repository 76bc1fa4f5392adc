/**
 * Sends requests that a seed makes up to every operation, tool, page and form, and judges every answer: by the OpenAPI
 * document that the service publishes, and by what no answer may do.
 *
 *   npm run fuzz -- [--requests 20000] [--seed 1] [--from N | --only N] [--url URL] [--json] [--check] [--help]
 */
import { parseArgs } from "node:util";

process.env.IMPRINT_BUILD_DIR ||= ".test";

const { loadBundle, progress, wholeNumber } = await import("./bench-database/bundle.mjs");
const { ensureBuilt } = await import("./build/ensure.mjs");

const LEAST_REQUESTS = 20_000;
const MAX_REQUESTS = 1_000_000;

const HELP = `npm run fuzz -- [options]

Sends requests to every operation, MCP tool, page and form of a service that it starts on loopback
with a database of its own. They are made of what the published document takes, with things that
nobody expects in them. It prints a table, and each finding with a command that sends it again.

  --requests N   how many, ${LEAST_REQUESTS} unless told, at most ${MAX_REQUESTS}
  --seed N       what they are made of
  --from N       the number of the first of them, 0 unless told
  --only N       the one request with that number
  --url URL      a service that runs already; its operator's commands must work in this environment,
                 and it should trust the proxy on loopback (TRUSTED_PROXIES=loopback)
  --json         print one JSON object
  --check        exit 1 also when fewer than ${LEAST_REQUESTS} were sent, or an operation was never answered with success
  --help         this text`;

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: String(LEAST_REQUESTS) },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    only: { type: "string" },
    url: { type: "string" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const only = options.only;
const requests = only === undefined ? Math.min(wholeNumber("requests", options.requests), MAX_REQUESTS) : 1;
await ensureBuilt(["component", "bundles", "pages"], { say: progress });
const { fuzz } = await loadBundle("fuzz/entry.ts");
const summary = await fuzz({
  seed: wholeNumber("seed", options.seed),
  requests,
  from: Number(only ?? options.from),
  url: options.url,
  env: process.env,
  onProgress: progress,
});

const misses =
  only !== undefined
    ? []
    : [
        ...(requests < LEAST_REQUESTS ? [`${requests} requests, below ${LEAST_REQUESTS}`] : []),
        ...summary.unreached.map((name) => `${name} was never answered with success`),
      ];

/** @param {Record<string, number>} statuses */
const histogram = (statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status === "0" ? "none" : status} ${count}`)
    .join("  ");

if (options.json) console.log(JSON.stringify({ ...summary, misses }));
else {
  console.log("");
  for (const { operation, requests: count, statuses } of summary.rows)
    console.log(`${operation.padEnd(56)}${String(count).padStart(7)}  ${histogram(statuses)}`);
  console.log(
    `\n${summary.requests} requests of seed ${summary.seed} in ${summary.seconds.toFixed(1)} s: ${summary.found} findings`,
  );
  for (const { request, operation, status, faults, answer, curl } of summary.findings) {
    console.log(`\nFOUND  ${operation}, status ${status}, request ${request} of seed ${summary.seed}`);
    for (const fault of faults) console.log(`  ${fault}`);
    console.log(`  ${curl.slice(0, 4_000)}`);
    if (answer !== "") console.log(`  answered: ${JSON.stringify(answer)}`);
    console.log(`  again: npm run fuzz -- --seed ${summary.seed} --only ${request}`);
  }
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}
process.exitCode = summary.found > 0 || (options.check && misses.length > 0) ? 1 : 0;
process.exit();

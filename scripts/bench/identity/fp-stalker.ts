/**
 * The rule-based linker of FP-Stalker, written from the paper's description.
 * Source: Vastel, Laperdrix, Rudametkin, Rouvoy, "FP-STALKER: Tracking Browser Fingerprint Evolutions", IEEE S&P 2018.
 */
export type StalkerPrint = {
  system: string;
  platform: string;
  browser: string;
  version: number;
  /** Canvas, local storage, do-not-track and cookies: must not change. */
  fixed: string;
  /** User agent, graphics vendor and renderer, plugins, language, accept: may change slightly. */
  similar: readonly string[];
  /** Resolution, encoding, time zone: may change freely, one at a time. */
  free: readonly string[];
};

const SIMILARITY_MIN = 0.75;
const MAX_CHANGES = 2;
const MAX_FREE_CHANGES = 1;
const PRINTS_PER_ID = 2;

const ratios = new Map<string, number>();

/** Similarity of two strings as computed by python-Levenshtein's `ratio`: a replacement counts twice. */
export function similarity(one: string, other: string): number {
  const key = `${one}\n${other}`;
  const known = ratios.get(key);
  if (known !== undefined) return known;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= other.length; index += 1) {
      const replace = (row[index - 1] ?? 0) + (one[at - 1] === other[index - 1] ? 0 : 2);
      next.push(Math.min(replace, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  const length = one.length + other.length;
  const ratio = length === 0 ? 1 : (length - (row[other.length] ?? 0)) / length;
  if (ratios.size < 200_000) ratios.set(key, ratio);
  return ratio;
}

const changed = (now: readonly string[], before: readonly string[]) =>
  now.flatMap((value, index) => (value === before[index] ? [] : [[value, before[index] ?? ""] as const]));

function compare(now: StalkerPrint, before: StalkerPrint): "exact" | "possible" | "no" {
  if (now.version < before.version) return "no";
  const similar = changed(now.similar, before.similar);
  const free = changed(now.free, before.free);
  if (similar.length + free.length === 0) return "exact";
  if (similar.length > MAX_CHANGES || free.length > MAX_FREE_CHANGES) return "no";
  return similar.every(([one, other]) => similarity(one, other) >= SIMILARITY_MIN) ? "possible" : "no";
}

type Stored = { print: StalkerPrint; day: number };

/** Links fingerprints sequentially; those not seen for `idleDays` are forgotten. */
export function stalkerLinker(idleDays = Number.POSITIVE_INFINITY) {
  let last = 0;
  const groups = new Map<string, Map<number, Stored[]>>();
  return (print: StalkerPrint, day: number): number => {
    const { system, platform, browser, fixed } = print;
    const key = [system, platform, browser, fixed].join("|");
    const group = groups.get(key) ?? new Map<number, Stored[]>();
    groups.set(key, group);
    const exact: number[] = [];
    const possible: number[] = [];
    for (const [id, prints] of group) {
      if (day - (prints.at(-1)?.day ?? 0) > idleDays) {
        group.delete(id);
        continue;
      }
      const results = prints.map((stored) => compare(print, stored.print));
      if (results.includes("exact")) exact.push(id);
      else if (results.includes("possible")) possible.push(id);
    }
    const found = exact.length > 0 ? exact : possible;
    const id = found.length === 1 && found[0] !== undefined ? found[0] : (last += 1);
    group.set(id, [...(group.get(id) ?? []), { print, day }].slice(-PRINTS_PER_ID));
    return id;
  };
}

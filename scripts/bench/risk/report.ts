import { markdownTable } from "../../common/report";
import { shareText } from "./interval";
import type { Replay } from "./replays/run";
import type { Failure, Result } from "./visits";

/** Number of clean browsers that may be SUSPICIOUS. */
const MAX_CLEAN_SUSPICIOUS = 1;
/** Required share of detected visits among automated ones that hide their traces or have none. */
const HIDDEN_FOUND_MIN = 20 / 32;

export type Row = Omit<Result, "capture">;

const countsOf = (rows: readonly Row[]) => {
  const count = (matches: (row: Row) => boolean) => rows.filter(matches).length;
  return {
    visits: rows.length,
    deceptive: count(({ status }) => status === "DECEPTIVE"),
    suspicious: count(({ status }) => status === "SUSPICIOUS"),
    botd: count(({ botd }) => botd === true),
    fpscanner: count(({ fpscanner }) => fpscanner === true),
  };
};

const isDefinitive = (row: Row) => row.isDefinitive;
const isHidden = (row: Row) => !row.isDefinitive && !row.isClean;
const isClean = (row: Row) => row.isClean;

/** Counts per part of the variants, and overall. */
export const summarise = (results: readonly Row[]) =>
  (["design", "hold-out", "all"] as const).map((part) => {
    const rows = results.filter((row) => part === "all" || row.part === part);
    return {
      part,
      definitive: countsOf(rows.filter(isDefinitive)),
      hidden: countsOf(rows.filter(isHidden)),
      clean: countsOf(rows.filter(isClean)),
    };
  });
export type Summary = ReturnType<typeof summarise>;

const figure = (name: string, part: number, whole: number, isMet: boolean) => ({
  figure: name,
  value: shareText(part, whole),
  isMet,
});
export type Figure = ReturnType<typeof figure>;

/** The promised figures, over all variants; a figure is left out if nothing it covers was run. */
export function compareFigures(summary: Summary, replays: readonly Replay[]): Figure[] {
  const all = summary.find(({ part }) => part === "all");
  if (all === undefined) return [];
  const { definitive, hidden, clean } = all;
  const found = hidden.deceptive + hidden.suspicious;
  const automated = figure(
    "every definitively automated visit is DECEPTIVE",
    definitive.deceptive,
    definitive.visits,
    definitive.deceptive === definitive.visits,
  );
  const quiet = figure(
    "at least 20 of 32 automated visits without a definitive trace do not PASS",
    found,
    hidden.visits,
    found / hidden.visits >= HIDDEN_FOUND_MIN,
  );
  const accused = figure("no clean browser is DECEPTIVE", clean.deceptive, clean.visits, clean.deceptive === 0);
  const suspected = figure(
    "at most one clean browser is SUSPICIOUS",
    clean.suspicious,
    clean.visits,
    clean.suspicious <= MAX_CLEAN_SUSPICIOUS,
  );
  return [
    ...(definitive.visits === 0 ? [] : [automated]),
    ...(hidden.visits === 0 ? [] : [quiet]),
    ...(clean.visits === 0 ? [] : [accused, suspected]),
    ...replays.map(({ id, pass, visits, passMax }) =>
      figure(`${id}: at most ${passMax} PASS`, pass, visits, pass <= passMax),
    ),
  ];
}

const peer = (value: unknown) => (value === true ? "bot" : value === false ? "-" : "failed");
const listed = (names: readonly string[]) => names.join(", ") || "-";

const visitLines = (title: string, rows: readonly Row[]): string[] =>
  rows.length === 0
    ? []
    : [
        ...["", title, ""],
        ...markdownTable(
          ["visit", "part", "verdict", "reasons", "BotD", "fpscanner", "rules"],
          rows.map((row) => [
            ...[row.id, row.part, row.status, listed(row.reasons)],
            ...[peer(row.botd), peer(row.fpscanner), listed(row.rules)],
          ]),
        ),
      ];

function summaryLines(summary: Summary): string[] {
  const rows = summary.flatMap(({ part, definitive, hidden, clean }) =>
    (
      [
        ["automated", definitive],
        ["automated, hiding its traces", hidden],
        ["clean", clean],
      ] as const
    )
      .filter(([, { visits }]) => visits > 0)
      .map(([name, { visits, deceptive, suspicious, botd, fpscanner }]) => [
        part,
        name,
        ...[deceptive, suspicious, deceptive + suspicious, botd, fpscanner].map((value) => shareText(value, visits)),
      ]),
  );
  const head = ["part", "visits", "DECEPTIVE", "SUSPICIOUS", "not PASS", "BotD: bot", "fpscanner: bot"];
  return ["", ...markdownTable(head, rows)];
}

const replayLines = (replays: readonly Replay[]): string[] =>
  replays.length === 0
    ? []
    : [
        ...["", "Captured visits replayed", ""],
        ...markdownTable(
          ["attack", "", "PASS", "SUSPICIOUS", "DECEPTIVE", "reasons"],
          replays.map(({ id, title, visits, pass, suspicious, deceptive, reasons }) => [
            ...[id, title, shareText(pass, visits)],
            ...[suspicious, deceptive, listed(reasons)],
          ]),
        ),
      ];

type Finished = {
  date: string;
  versions: Readonly<Record<string, string>>;
  rulesVersion: string;
  results: readonly Row[];
  summary: Summary;
  replays: readonly Replay[];
  figures: readonly Figure[];
  missing: readonly string[];
  skipped: readonly { id: string; lacking: readonly string[] }[];
  failures: readonly Failure[];
  seconds: number;
};

export const linesOf = ({ results, summary, replays, figures, ...run }: Finished): string[] => [
  ...["", `Verdicts on real visits, ${run.date}, rules ${run.rulesVersion}`],
  Object.entries(run.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(", "),
  ...visitLines("Automated", results.filter(isDefinitive)),
  ...visitLines("Automated, with definitive traces removed", results.filter(isHidden)),
  ...visitLines("Clean", results.filter(isClean)),
  ...summaryLines(summary),
  ...replayLines(replays),
  ...["", `Shares with their 95 % interval (Wilson). ${run.seconds} s.`, ""],
  ...figures.map(({ figure: name, value, isMet }) => `${isMet ? "met   " : "MISSED"} ${name}: ${value}`),
  ...run.missing.map((name) => `not installed: ${name}`),
  ...run.skipped.map(({ id, lacking }) => `not run: ${id}, which requires ${lacking.join(", ")}`),
  ...run.failures.map(({ id, reason }) => `failed: ${id}: ${reason}`),
];

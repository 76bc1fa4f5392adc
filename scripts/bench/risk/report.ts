import { shareText } from "./interval.mjs";

/** Clean browsers that may need a second look. */
const MAX_CLEAN_SUSPICIOUS = 1;
/** Of the automated visits that hide their traces or have none of their own. */
const HIDDEN_FOUND_MIN = 20 / 32;

const count = (rows, matches) => rows.filter(matches).length;
const isDeceptive = ({ status }) => status === "DECEPTIVE";
const isSuspicious = ({ status }) => status === "SUSPICIOUS";
const flagged = (name) => (row) => row[name] === true;

/** Counts for one part of the variants, and for all. */
export function summarise(results) {
  return ["design", "hold-out", "all"].map((part) => {
    const rows = results.filter((row) => part === "all" || row.part === part);
    const definitive = rows.filter(({ isDefinitive }) => isDefinitive);
    const hidden = rows.filter(({ isDefinitive, isClean }) => !isDefinitive && !isClean);
    const clean = rows.filter(({ isClean }) => isClean);
    const by = (group) => ({
      visits: group.length,
      deceptive: count(group, isDeceptive),
      suspicious: count(group, isSuspicious),
      botd: count(group, flagged("botd")),
      fpscanner: count(group, flagged("fpscanner")),
    });
    return { part, definitive: by(definitive), hidden: by(hidden), clean: by(clean) };
  });
}

const figure = (name, part, whole, isMet) => ({ figure: name, value: shareText(part, whole), isMet });

/** The figures that the product promises, over all variants; one of which nothing ran is left out. */
export function judge(summary, replays) {
  const { definitive, hidden, clean } = summary.find(({ part }) => part === "all");
  const found = hidden.deceptive + hidden.suspicious;
  return [
    ...(definitive.visits === 0
      ? []
      : [
          figure(
            "every definitively automated visit is DECEPTIVE",
            definitive.deceptive,
            definitive.visits,
            definitive.deceptive === definitive.visits,
          ),
        ]),
    ...(hidden.visits === 0
      ? []
      : [
          figure(
            "at least 20 of 32 automated visits without a definitive trace do not PASS",
            found,
            hidden.visits,
            found / hidden.visits >= HIDDEN_FOUND_MIN,
          ),
        ]),
    ...(clean.visits === 0
      ? []
      : [
          figure("no clean browser is DECEPTIVE", clean.deceptive, clean.visits, clean.deceptive === 0),
          figure(
            "at most one clean browser is SUSPICIOUS",
            clean.suspicious,
            clean.visits,
            clean.suspicious <= MAX_CLEAN_SUSPICIOUS,
          ),
        ]),
    ...replays.map(({ id, pass, visits, passMax }) =>
      figure(`${id}: at most ${passMax} PASS`, pass, visits, pass <= passMax),
    ),
  ];
}

const peer = (value) => (value === true ? "bot" : value === false ? "-" : "failed");

function printRows(title, rows) {
  if (rows.length === 0) return;
  console.log(`\n${title}\n`);
  console.log("| visit | part | verdict | reasons | BotD | fpscanner | rules |");
  console.log("|---|---|---|---|---|---|---|");
  for (const row of rows)
    console.log(
      `| ${row.id} | ${row.part} | ${row.status} | ${row.reasons.join(", ") || "-"} | ${peer(row.botd)} | ${peer(row.fpscanner)} | ${row.rules.join(", ") || "-"} |`,
    );
}

const GROUPS = { definitive: "automated", hidden: "automated, hides its trace", clean: "clean" };

function printSummary(summary) {
  console.log("\n| part | visits | DECEPTIVE | SUSPICIOUS | not PASS | BotD: bot | fpscanner: bot |");
  console.log("|---|---|---|---|---|---|---|");
  for (const { part, ...groups } of summary)
    for (const [name, { visits, deceptive, suspicious, botd, fpscanner }] of Object.entries(groups)) {
      if (visits === 0) continue;
      const shares = [deceptive, suspicious, deceptive + suspicious, botd, fpscanner];
      const cells = shares.map((value) => shareText(value, visits));
      console.log(`| ${part} | ${GROUPS[name]} | ${cells.join(" | ")} |`);
    }
}

function printReplays(replays) {
  if (replays.length === 0) return;
  console.log("\nCaptured visits sent again\n");
  console.log("| attack | | PASS | SUSPICIOUS | DECEPTIVE | reasons |");
  console.log("|---|---|---|---|---|---|");
  for (const { id, title, visits, pass, suspicious, deceptive, reasons } of replays)
    console.log(
      `| ${id} | ${title} | ${shareText(pass, visits)} | ${suspicious} | ${deceptive} | ${reasons.join(", ") || "-"} |`,
    );
}

export function print({ date, versions, rulesVersion, results, summary, replays, figures, seconds, ...rest }) {
  const { missing, skipped, failures } = rest;
  console.log(`\nVerdicts on real visits, ${date}, rules ${rulesVersion}`);
  console.log(
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", "),
  );
  printRows(
    "Automated",
    results.filter(({ isClean, isDefinitive }) => !isClean && isDefinitive),
  );
  printRows(
    "Automated, with their definitive traces removed",
    results.filter((row) => !row.isClean && !row.isDefinitive),
  );
  printRows(
    "Clean",
    results.filter(({ isClean }) => isClean),
  );
  printSummary(summary);
  printReplays(replays);
  console.log(`\nShares with their 95 % interval (Wilson). ${seconds} s.\n`);
  for (const { figure, value, isMet } of figures) console.log(`${isMet ? "met   " : "MISSED"} ${figure}: ${value}`);
  for (const name of missing) console.log(`not installed: ${name}`);
  for (const { id, lacking } of skipped) console.log(`not run: ${id}, which needs ${lacking.join(", ")}`);
  for (const { id, reason } of failures) console.log(`failed: ${id}: ${reason}`);
}

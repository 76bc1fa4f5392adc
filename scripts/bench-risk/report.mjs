/** Share of clean browsers that may need a second look. */
const CLEAN_SUSPICIOUS_MAX = 0.05;

const count = (rows, matches) => rows.filter(matches).length;
const share = (part, whole) => `${part} of ${whole}`;
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

/** The figures that the product promises, over all variants. */
export function judge(summary) {
  const { definitive, clean } = summary.find(({ part }) => part === "all");
  const suspiciousShare = clean.visits === 0 ? 0 : clean.suspicious / clean.visits;
  return [
    {
      figure: "every definitively automated visit is DECEPTIVE",
      value: share(definitive.deceptive, definitive.visits),
      isMet: definitive.visits > 0 && definitive.deceptive === definitive.visits,
    },
    {
      figure: "no clean browser is DECEPTIVE",
      value: share(clean.deceptive, clean.visits),
      isMet: clean.visits > 0 && clean.deceptive === 0,
    },
    {
      figure: "at most 5 % of the clean browsers are SUSPICIOUS",
      value: share(clean.suspicious, clean.visits),
      isMet: clean.visits > 0 && suspiciousShare <= CLEAN_SUSPICIOUS_MAX,
    },
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

function printSummary(summary) {
  console.log("\n| part | visits | | DECEPTIVE | SUSPICIOUS | BotD: bot | fpscanner: bot |");
  console.log("|---|---|---|---|---|---|---|");
  for (const { part, ...groups } of summary)
    for (const [name, group] of Object.entries(groups))
      if (group.visits > 0)
        console.log(
          `| ${part} | ${{ definitive: "automated", hidden: "automated, hides its trace", clean: "clean" }[name]} | ${group.visits} | ${group.deceptive} | ${group.suspicious} | ${group.botd} | ${group.fpscanner} |`,
        );
}

export function print({ date, versions, rulesVersion, results, summary, figures, missing, skipped, failures }) {
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
  console.log("");
  for (const { figure, value, isMet } of figures) console.log(`${isMet ? "met   " : "MISSED"} ${figure}: ${value}`);
  for (const name of missing) console.log(`not installed: ${name}`);
  for (const { id, lacking } of skipped) console.log(`not run: ${id}, which needs ${lacking.join(", ")}`);
  for (const { id, reason } of failures) console.log(`failed: ${id}: ${reason}`);
}

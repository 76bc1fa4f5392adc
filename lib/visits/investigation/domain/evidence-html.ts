import type { Evidence, EvidenceVisit, Touched } from "./evidence";

/** Text about a case, in addition to its visits. */
export type CaseText = {
  name: string;
  caseId: string;
  status: string;
  assignee: string;
  items: { kind: string; value: string; note: string }[];
  /** Oldest first. */
  history: { at: Date; who: string; text: string; isComment: boolean }[];
};

export type EvidenceDocument = {
  title: string;
  workspaceId: string;
  madeAt: Date;
  madeBy: string;
  evidence: Evidence;
  /** Undefined if the evidence is of a single subject without a case. */
  file: CaseText | undefined;
};

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text of others as HTML; characters that turn a text around are shown as the sign of one that cannot be shown. */
const escape = (text: string): string =>
  text.replaceAll(/\p{Bidi_Control}/gu, "\ufffd").replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

type Cell = string | number | undefined;

const cell = (value: Cell): string => (value === undefined ? "–" : escape(String(value)));

const tableRow = (row: readonly Cell[]): string => `<tr>${row.map((value) => `<td>${cell(value)}</td>`).join("")}</tr>`;

const tableStart = (head: readonly string[]): string =>
  `<table><thead><tr>${head.map((name) => `<th scope="col">${escape(name)}</th>`).join("")}</tr></thead><tbody>`;
const TABLE_END = "</tbody></table>";

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  `${tableStart(head)}${rows.map(tableRow).join("\n")}${TABLE_END}`;

const sectionStart = (title: string, count: number | undefined): string =>
  `<section><h2>${escape(title)}${count === undefined ? "" : ` (${count})`}</h2>\n`;
const SECTION_END = "</section>";

const section = (title: string, count: number | undefined, body: string): string =>
  `${sectionStart(title, count)}${body}${SECTION_END}`;

const instant = (at: Date): string =>
  at
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");

const TOUCHED = ["Visits", "of them deceptive", "Devices", "Accounts", "First seen", "Last seen"] as const;

const touchedRow = (touched: Touched): Cell[] => [
  touched.value,
  touched.visits,
  touched.deceptive,
  touched.devices.length,
  touched.accounts.length,
  instant(touched.firstSeenAt),
  instant(touched.lastSeenAt),
];

const touchedSection = (
  title: string,
  first: string,
  touched: readonly Touched[] | undefined,
  hidden: string,
): string =>
  touched === undefined
    ? section(title, undefined, `<p>${escape(hidden)}</p>`)
    : section(title, touched.length, table([first, ...TOUCHED], touched.map(touchedRow)));

const VISITS = [
  "Time",
  "Imprint",
  "Verdict",
  "Rules",
  "Device",
  "Account",
  "Address",
  "Client",
  "Page",
  "SHA-256 of the Report",
];

const visitRow = (visit: EvidenceVisit): Cell[] => [
  instant(visit.recordedAt),
  visit.imprint,
  visit.reasons.length === 0 ? visit.status : `${visit.status}: ${visit.reasons.join(", ")}`,
  visit.ruleIds.join(", "),
  visit.deviceId,
  visit.accountId,
  [visit.address, visit.countryCode, visit.asn === undefined ? undefined : `AS${visit.asn}`]
    .filter((part) => part !== undefined)
    .join(" "),
  [visit.browser, visit.system, visit.connection].filter((part) => part !== undefined).join(", "),
  `${visit.surface} on ${visit.origin}`,
  visit.reportSha256,
];

type Pages = AsyncIterable<readonly EvidenceVisit[]>;

async function* visitsSection({ visits, isCut }: Evidence, pages: Pages) {
  const cut = isCut ? "<p>Only the newest visits are listed; older ones are left out.</p>" : "";
  yield sectionStart("Visits", visits) + cut;
  if (visits === 0) yield "<p>No visits are stored.</p>";
  else {
    yield tableStart(VISITS);
    for await (const page of pages) yield page.map((visit) => `${tableRow(visitRow(visit))}\n`).join("");
    yield TABLE_END;
  }
  yield SECTION_END;
}

const historySection = (history: CaseText["history"]): string =>
  section(
    "History and comments",
    undefined,
    `<ol>${history
      .map(
        ({ at, who, text, isComment }) =>
          `<li><p class="quiet">${escape(instant(at))} · ${escape(who)}</p><p${isComment ? ' class="comment"' : ""}>${escape(text)}</p></li>`,
      )
      .join("\n")}</ol>`,
  );

function caseSections(file: CaseText): string {
  const items = table(
    ["Kind", "What", "Note"],
    file.items.map(({ kind, value, note }) => [kind, value, note]),
  );
  return section("Items of the case", file.items.length, items) + historySection(file.history);
}

/** For screen and print. Loads nothing and runs no script. */
const STYLE = `
:root { color-scheme: light; }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1.5rem; font: 14px/1.5 system-ui, sans-serif; color: #16181d; background: #fff; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.quiet { color: #565b66; margin: 0; } .comment { white-space: pre-wrap; }
table { width: 100%; border-collapse: collapse; font-size: .8rem; }
th, td { border: 1px solid #d4d7de; padding: .25rem .4rem; text-align: left; vertical-align: top; }
th { background: #f3f4f6; } ol { padding-left: 1.2rem; } li p { margin: 0 0 .25rem; }
@page { size: A4 landscape; margin: 12mm; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 10px; } thead { display: table-header-group; } tr { break-inside: avoid; } }`;

/** Renders evidence as a self-contained page, in parts, that can be read, printed and archived without the service. */
export async function* evidenceHtml(
  { title, workspaceId, madeAt, madeBy, evidence, file }: EvidenceDocument,
  pages: Pages,
): AsyncGenerator<string, void> {
  const lead = [`Made ${instant(madeAt)} by ${madeBy} in ${workspaceId}`];
  if (file) lead.push(`Case ${file.caseId}, ${file.status}, ${file.assignee}`);
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer"><title>${escape(title)}</title><style>${STYLE}</style></head><body>
<h1>${escape(title)}</h1>
${lead.map((line) => `<p class="quiet">${escape(line)}</p>`).join("\n")}
${file ? caseSections(file) : ""}
${touchedSection("Accounts", "Account", evidence.accounts, "Accounts are not part of this workspace's plan.")}
${touchedSection("Devices", "Device", evidence.devices, "")}
${touchedSection("Addresses", "Address", evidence.addresses, "Addresses and places were not visible to the person who made this page.")}
`;
  yield* visitsSection(evidence, pages);
  yield `
<p class="quiet">Each SHA-256 is that of the Report's bytes as GET /api/v1/fingerprint/report/IMPRINT answers them without an account reference. An account is named by a hash; your server knows its reference.</p>
</body></html>
`;
}

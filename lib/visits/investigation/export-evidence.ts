import { ACTOR_WORDS } from "@/lib/platform/actor-words";
import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { readCase, recordCaseExport } from "@/lib/tenancy/cases";
import { type Access, authorize, listMembers } from "@/lib/tenancy/workspaces";
import { entryText, statusName } from "./case-history";
import { type Collected, collectEvidence, type OnVisits } from "./collect-evidence";
import { type CaseText, evidenceHtml } from "./domain/evidence-html";
import { evidenceCsv } from "./evidence-csv";
import { findItems } from "./find-items";

export const EVIDENCE_FORMATS = ["html", "csv"] as const;
export type EvidenceFormat = (typeof EVIDENCE_FORMATS)[number];

export type EvidenceFile = {
  format: EvidenceFormat;
  visits: number;
  accounts: number;
  /** The file's text, in parts, for which the visits are read. */
  parts: AsyncGenerator<string, void>;
};

/** Display names of a workspace's members. Former members are shown by id. */
async function namesOf(context: Context, workspaceId: string) {
  const members = new Map((await listMembers(context, { workspaceId })).map(({ userId, email }) => [userId, email]));
  return (userId: string): string => (userId === "" ? ACTOR_WORDS.operator : (members.get(userId) ?? userId));
}

type Document = { title: string; format: EvidenceFormat; evidence: Collected; file: CaseText | undefined };

async function fileOf(context: Context, access: Access, document: Document): Promise<EvidenceFile> {
  const { title, format, evidence, file } = document;
  const { workspaceId } = access;
  const nameOf = await namesOf(context, workspaceId);
  const madeBy = nameOf(actorId(context.actor));
  const pages = evidence.readVisits();
  const parts =
    format === "csv"
      ? evidenceCsv(evidence, pages)
      : evidenceHtml({ title, workspaceId, madeAt: context.now, madeBy, evidence, file }, pages);
  return { format, visits: evidence.visits, accounts: evidence.accounts?.length ?? 0, parts };
}

/**
 * Exports the evidence of one visit, device, address or account as a file, with all accounts involved. Excludes what
 * the actor may not see. Recorded in the audit log.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function exportEvidence(
  context: Context,
  input: { workspaceId: string; item: string; format: EvidenceFormat },
  onVisits?: OnVisits,
): Promise<EvidenceFile> {
  const { workspaceId, format } = input;
  const access = await authorize(context, workspaceId, "evidence.export");
  const items = await findItems(context, access, [input.item]);
  const evidence = await collectEvidence(context, access, items, onVisits);
  const kind = items[0]?.kind ?? "";
  await recordAudit(context.db, context, {
    workspaceId,
    action: "export.create",
    target: workspaceId,
    detail: { format, evidence: kind },
  });
  const title = `Evidence: ${kind} ${items[0]?.value ?? ""}`;
  return await fileOf(context, access, { title, format, evidence, file: undefined });
}

/** Maximum number of pages of a case's history in an export. */
const MAX_PAGES = 200;

/** A case with its whole history, oldest first. */
async function readWholeCase(context: Context, input: { workspaceId: string; caseId: string }) {
  const first = await readCase(context, input);
  const entries = [...first.entries];
  let cursor = first.nextCursor;
  for (let page = 1; cursor !== undefined && page < MAX_PAGES; page += 1) {
    const next = await readCase(context, { ...input, cursor });
    entries.push(...next.entries);
    cursor = next.nextCursor;
  }
  return { ...first, entries: entries.reverse() };
}

/**
 * Exports the evidence of a case as a file: its items, its history, its visits with the hashes of their Reports, and
 * all accounts, devices and addresses of these visits. Recorded in the case.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function exportCase(
  context: Context,
  input: { workspaceId: string; caseId: string; format: EvidenceFormat },
  onVisits?: OnVisits,
): Promise<EvidenceFile> {
  const { workspaceId, format } = input;
  const access = await authorize(context, workspaceId, "evidence.export");
  const found = await readWholeCase(context, input);
  const items = found.items.flatMap(({ kind, value, note }) => (value === undefined ? [] : [{ kind, value, note }]));
  const evidence = await collectEvidence(context, access, items, onVisits);
  await recordCaseExport(context, input);
  const nameOf = await namesOf(context, workspaceId);
  const file: CaseText = {
    name: found.name,
    caseId: found.caseId,
    status: statusName(found.status),
    assignee: found.assigneeId === "" ? "unassigned" : `assigned to ${nameOf(found.assigneeId)}`,
    items,
    history: found.entries.map((entry) => ({
      at: entry.at,
      who: nameOf(entry.actorId),
      text: entryText(entry, nameOf),
      isComment: entry.kind === "comment",
    })),
  };
  return await fileOf(context, access, { title: `Case: ${found.name}`, format, evidence, file });
}

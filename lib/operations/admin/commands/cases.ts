import { AppError } from "@/lib/contract/errors";
import {
  assignCase,
  CASE_STATUSES,
  commentOnCase,
  deleteCase,
  deleteComment,
  listCases,
  readCase,
  renameCase,
  setCaseStatus,
} from "@/lib/tenancy/cases";
import { findMemberId } from "@/lib/tenancy/workspaces";
import type { Context } from "@/lib/platform/context";
import {
  addToCase,
  EVIDENCE_FORMATS,
  type EvidenceFile,
  exportCase,
  exportEvidence,
  type OnVisits,
  openCase,
  takeFromCase,
} from "@/lib/visits/investigation";
import { type Command, type ParsedOptions, type CommandIo, workspaceOption } from "../command";
import { EXPORT_INTERRUPTED, followVisits } from "../follow-visits";
import { PAGE_OPTIONS } from "../page-options";
import { LongText } from "../print-result";

const caseOption = { value: "ID", description: "Case, `case_…`", isRequired: true } as const;
const nameOption = { value: "NAME", description: "Name of the case", isRequired: true } as const;
const itemOption = {
  value: "ITEM",
  description: "Imprint, device, account (acc_…), address or range",
  isRequired: true,
} as const;
const formatOption = {
  value: "FORMAT",
  description: "html for a page to read and print, csv for the visits; default html",
  choices: EVIDENCE_FORMATS,
} as const;

const ofCase = (given: ParsedOptions) => ({ workspaceId: given.text("workspace"), caseId: given.text("case") });

const formatOf = (given: ParsedOptions) => given.optionalChoice("format", EVIDENCE_FORMATS) ?? "html";

async function* ending(parts: AsyncIterable<string>, end: () => void): AsyncGenerator<string, void> {
  try {
    yield* parts;
  } finally {
    end();
  }
}

/** Runs an export with its progress: the visits are read for what they involve, and again while they are printed. */
async function printEvidence(
  title: string,
  { stderr, progressWithResult }: CommandIo,
  open: (onVisits: OnVisits) => Promise<EvidenceFile>,
) {
  const [collecting, writing] = [followVisits(stderr, `${title}, reading`), followVisits(progressWithResult, title)];
  const opening = open(({ step, visits, total }) => {
    (step === "collect" ? collecting : writing).at(visits, total);
  });
  const { parts, ...rest } = await opening.finally(collecting.end);
  return { ...rest, content: new LongText(ending(parts, writing.end)) };
}

/** The user id of an email address; empty if none is given. @throws AppError `invalid_request` */
async function memberOf(context: Context, workspaceId: string, email: string | undefined): Promise<string> {
  if (email === undefined) return "";
  const userId = await findMemberId(context, { workspaceId, email });
  if (userId !== undefined) return userId;
  throw new AppError("invalid_request", { message: "Nobody with this address is a member of the workspace" });
}

const reading: readonly Command[] = [
  {
    name: "case list",
    summary: "List a workspace's cases, most recently changed first",
    options: {
      workspace: workspaceOption,
      status: { value: "STATUS", description: "Only cases with this status", choices: CASE_STATUSES },
      cursor: PAGE_OPTIONS.cursor,
    },
    async run(context, given) {
      const status = given.optionalChoice("status", CASE_STATUSES);
      const { cases, nextCursor } = await listCases(context, {
        workspaceId: given.text("workspace"),
        statuses: status && [status],
        cursor: given.optional("cursor"),
      });
      return {
        cases: cases.map(({ caseId, name, status: at, assigneeId, items, createdAt, changedAt }) => ({
          case_id: caseId,
          name,
          status: at,
          assignee_id: assigneeId,
          items,
          created_at: createdAt,
          changed_at: changedAt,
        })),
        next_cursor: nextCursor ?? null,
      };
    },
  },
  {
    name: "case show",
    summary: "Show a case with its items and its history, newest first",
    options: { workspace: workspaceOption, case: caseOption, cursor: PAGE_OPTIONS.cursor },
    async run(context, given) {
      const found = await readCase(context, { ...ofCase(given), cursor: given.optional("cursor") });
      return {
        case_id: found.caseId,
        name: found.name,
        status: found.status,
        assignee_id: found.assigneeId,
        items: found.items.map(({ kind, value, note, addedAt }) => ({ kind, value, note, added_at: addedAt })),
        entries: found.entries.map(({ entryId, at, actorId, kind, text, former, item }) => ({
          entry_id: entryId,
          at,
          actor_id: actorId,
          kind,
          text,
          former,
          item: item ?? null,
        })),
        next_cursor: found.nextCursor ?? null,
      };
    },
  },
  {
    name: "case export",
    summary: "Print the evidence of a case, with the hashes of its Reports and all accounts involved",
    options: { workspace: workspaceOption, case: caseOption, format: formatOption },
    interruptionNotice: EXPORT_INTERRUPTED,
    run: (context, given, io) =>
      printEvidence("case export", io, (onVisits) =>
        exportCase(context, { ...ofCase(given), format: formatOf(given) }, onVisits),
      ),
  },
  {
    name: "evidence export",
    summary: "Print the evidence about one visit, device, address or account, without a case",
    options: { workspace: workspaceOption, item: itemOption, format: formatOption },
    interruptionNotice: EXPORT_INTERRUPTED,
    run(context, given, io) {
      const input = { workspaceId: given.text("workspace"), item: given.text("item"), format: formatOf(given) };
      return printEvidence("evidence export", io, (onVisits) => exportEvidence(context, input, onVisits));
    },
  },
];

const changing: readonly Command[] = [
  {
    name: "case create",
    summary: "Open a case, optionally with its first items",
    options: {
      workspace: workspaceOption,
      name: nameOption,
      item: { ...itemOption, isRequired: false, isRepeatable: true },
    },
    async run(context, given) {
      const { caseId, name, added } = await openCase(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
        items: given.list("item"),
      });
      return { case_id: caseId, name, added };
    },
  },
  {
    name: "case rename",
    summary: "Rename a case",
    options: { workspace: workspaceOption, case: caseOption, name: nameOption },
    async run(context, given) {
      const { caseId, name } = await renameCase(context, { ...ofCase(given), name: given.text("name") });
      return { case_id: caseId, name };
    },
  },
  {
    name: "case set-status",
    summary: "Set the status of a case; a closed one can be reopened",
    options: {
      workspace: workspaceOption,
      case: caseOption,
      status: { value: "STATUS", description: "Status", isRequired: true, choices: CASE_STATUSES },
    },
    async run(context, given) {
      const input = { ...ofCase(given), status: given.choice("status", CASE_STATUSES) };
      const { caseId, status } = await setCaseStatus(context, input);
      return { case_id: caseId, status };
    },
  },
  {
    name: "case assign",
    summary: "Assign a case to a member, or to nobody",
    options: {
      workspace: workspaceOption,
      case: caseOption,
      email: { value: "EMAIL", description: "Email address of the member; without it, nobody" },
    },
    async run(context, given) {
      const of = ofCase(given);
      const assigneeId = await memberOf(context, of.workspaceId, given.optional("email"));
      await assignCase(context, { ...of, assigneeId });
      return { case_id: of.caseId, assignee_id: assigneeId };
    },
  },
  {
    name: "case add",
    summary: "Add visits, devices, addresses and accounts to a case",
    options: {
      workspace: workspaceOption,
      case: caseOption,
      item: { ...itemOption, isRepeatable: true },
      note: { value: "TEXT", description: "Why they belong to it" },
    },
    run: async (context, given) => {
      const note = given.optional("note");
      const { caseId, added } = await addToCase(context, { ...ofCase(given), items: given.list("item"), note });
      return { case_id: caseId, added };
    },
  },
  {
    name: "case remove",
    summary: "Remove an item from a case; the item itself is not changed",
    options: { workspace: workspaceOption, case: caseOption, item: itemOption },
    async run(context, given) {
      const { caseId } = await takeFromCase(context, { ...ofCase(given), item: given.text("item") });
      return { case_id: caseId, removed: true };
    },
  },
  {
    name: "case comment",
    summary: "Add a comment to a case, visible to every member",
    options: {
      workspace: workspaceOption,
      case: caseOption,
      text: { value: "TEXT", description: "The comment", isRequired: true },
    },
    async run(context, given) {
      const { caseId } = await commentOnCase(context, { ...ofCase(given), text: given.text("text") });
      return { case_id: caseId, commented: true };
    },
  },
  {
    name: "case delete-comment",
    summary: "Delete a comment permanently",
    options: {
      workspace: workspaceOption,
      case: caseOption,
      entry: { value: "ID", description: "Entry of the comment, `cent_…`", isRequired: true },
    },
    async run(context, given) {
      const { caseId } = await deleteComment(context, { ...ofCase(given), entryId: given.text("entry") });
      return { case_id: caseId, deleted: true };
    },
  },
  {
    name: "case delete",
    summary: "Permanently delete a case with its comments; its visits, devices and accounts are kept",
    options: { workspace: workspaceOption, case: caseOption },
    async run(context, given) {
      const { caseId } = await deleteCase(context, ofCase(given));
      return { case_id: caseId, deleted: true };
    },
  },
];

export const caseCommands: readonly Command[] = [...reading, ...changing];

import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { type Label, LABEL_SUBJECTS, LABELS, type LabelSubject } from "@/lib/contract/labels";
import { csvLine } from "@/lib/platform/csv";
import { authorize, roleHas } from "@/lib/tenancy/workspaces";
import {
  countLabelRows,
  findLabels,
  findLink,
  findVisitLabels,
  type LabelFilter,
  type LabelPosition,
  listLabelRows,
  type StoredLabel,
  type Subject,
} from "@/lib/visits/visit-store";

const PAGE = 50;
const EXPORTED_AT_ONCE = 1_000;
const MAX_EXPORTED = 100_000;

export type VisitLabels = {
  /** The effective label for rules: the visit's own, else its account's, else its device's. */
  label: Label | null;
  visit: StoredLabel | null;
  account: StoredLabel | null;
  device: StoredLabel | null;
  mayLabel: boolean;
};

const pick = (labels: readonly StoredLabel[], kind: LabelSubject) =>
  labels.find((label) => label.kind === kind) ?? null;

/**
 * Reads the labels of a visit, its account and its device. Each may be requested alone.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readLabels(
  context: Context,
  input: { workspaceId: string; imprint?: string; deviceId?: string; accountId?: string },
): Promise<VisitLabels> {
  const { workspaceId, imprint, deviceId } = input;
  const { role } = await authorize(context, workspaceId, "report.read");
  const isVisit = imprint !== undefined && idPattern("imprint").test(imprint);
  const link = isVisit ? await findLink(context.db, workspaceId, imprint) : undefined;
  const asked = { visit: imprint, device: deviceId, account: input.accountId ?? link?.accountId };
  const idKinds = { visit: "imprint", device: "device", account: "account" } as const;
  const subjects = LABEL_SUBJECTS.flatMap((kind): Subject[] => {
    const id = asked[kind];
    return id !== undefined && idPattern(idKinds[kind]).test(id) ? [{ workspaceId, kind, id }] : [];
  });
  const found = await findLabels(context.db, subjects);
  const [visit, account, device] = [pick(found, "visit"), pick(found, "account"), pick(found, "device")];
  return {
    label: (visit ?? account ?? device)?.label ?? null,
    ...{ visit, account, device },
    mayLabel: role === undefined || roleHas(role, "label.use"),
  };
}

/** Effective labels of visits, by imprint. The caller must have authorized the actor. */
export const labelsOfVisits = (
  { db }: Context,
  workspaceId: string,
  imprints: readonly string[],
): Promise<Map<string, Label>> => findVisitLabels(db, workspaceId, imprints);

const formatCursor = ({ createdAt, id }: LabelPosition) => `${createdAt.replace(" ", "T")}~${id}`;

function parseCursor(cursor: string): LabelPosition {
  const [, createdAt, id] = /^([0-9T:.+-]{19,40})~([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (createdAt === undefined || id === undefined || Number.isNaN(Date.parse(createdAt.replace(/\+00$/, "Z"))))
    throw new AppError("invalid_request", { message: "cursor: not one of this list" });
  return { createdAt, id };
}

type Asked = { workspaceId: string; label?: string | undefined; kind?: string | undefined };

const filterOf = ({ workspaceId, label, kind }: Asked): LabelFilter => ({
  workspaceId,
  label: LABELS.find((each) => each === label),
  kind: LABEL_SUBJECTS.find((each) => each === kind),
});

/**
 * Lists a workspace's labels, newest first, in pages, with counts by label.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function listLabels(context: Context, input: Asked & { before?: string | undefined; limit?: number }) {
  const { role } = await authorize(context, input.workspaceId, "report.read");
  const before = input.before === undefined ? undefined : parseCursor(input.before);
  const limit = Math.min(Math.max(1, input.limit ?? PAGE), 200);
  const [rows, counts] = await Promise.all([
    listLabelRows(context.db, { ...filterOf(input), before, limit: limit + 1 }),
    countLabelRows(context.db, input.workspaceId),
  ]);
  const labels = rows.slice(0, limit);
  const last = labels.at(-1);
  return {
    labels: labels as readonly StoredLabel[],
    older: rows.length > limit && last ? formatCursor(last.position) : null,
    counts,
    mayLabel: role === undefined || roleHas(role, "label.use"),
  };
}

const COLUMN_OF = { visit: "imprint", device: "device_id", account: "account_id" } as const;

/**
 * Exports a workspace's labels as CSV, newest first, in the format of `importLabels`. Recorded in the audit log.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function* exportLabels(context: Context, input: Asked): AsyncGenerator<string, void> {
  await authorize(context, input.workspaceId, "report.read");
  await recordAudit(context.db, context, { workspaceId: input.workspaceId, action: "export.create", target: "labels" });
  const columns = [...LABEL_SUBJECTS.map((kind) => COLUMN_OF[kind]), "label", "labelled_at", "by", "by_id"];
  yield csvLine(columns);
  let before: LabelPosition | undefined;
  for (let count = 0; count < MAX_EXPORTED; count += EXPORTED_AT_ONCE) {
    const rows = await listLabelRows(context.db, { ...filterOf(input), before, limit: EXPORTED_AT_ONCE });
    for (const { kind, id, label, createdAt, actorKind, createdBy } of rows)
      yield csvLine([
        ...LABEL_SUBJECTS.map((each) => (each === kind ? id : "")),
        ...[label, createdAt.toISOString(), actorKind, createdBy],
      ]);
    if (rows.length < EXPORTED_AT_ONCE) return;
    before = rows.at(-1)?.position;
  }
}

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { LABEL_SUBJECTS, LABELS } from "@/lib/contract/labels";
import { createProgress } from "@/lib/operations/backup";
import { callerFolder } from "@/lib/platform/env";
import { importLabels, listLabels, setLabel } from "@/lib/visits/labels";
import { type Command, workspaceOption } from "../command";
import { PAGE_OPTIONS, readPage } from "../page-options";

const NONE = "none";
/** Rows after which a line tells the progress if the output is no terminal. */
const ROWS_OF_LINE = 1_000;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

async function readText(file: string): Promise<string> {
  const text = await readFile(resolve(callerFolder(), file), "utf8").catch((error: unknown) => {
    throw new AppError("invalid_request", { message: `The file ${file} cannot be read`, cause: error });
  });
  if (text.length <= MAX_FILE_BYTES) return text;
  throw new AppError("invalid_request", { message: `The file ${file} is larger than 2 MB: split it` });
}

export const labelCommands: readonly Command[] = [
  {
    name: "label set",
    summary: "Record what a visit, device or account turned out to be; Reports do not change",
    options: {
      workspace: workspaceOption,
      imprint: { value: "ID", description: "Visit, `imp_…`" },
      device: { value: "ID", description: "Device, `dev_…`" },
      account: { value: "ID", description: "Account, `acc_…`" },
      "account-ref": { value: "REF", description: "Account, by the reference that your server sends" },
      label: { value: "LABEL", description: "Label; none removes it", isRequired: true, choices: [...LABELS, NONE] },
    },
    async run(context, given) {
      const set = await setLabel(context, {
        workspaceId: given.text("workspace"),
        subject: {
          imprint: given.optional("imprint"),
          deviceId: given.optional("device"),
          accountId: given.optional("account"),
          accountRef: given.optional("account-ref"),
        },
        label: given.optionalChoice("label", LABELS) ?? null,
      });
      return { subject: set.kind, id: set.id, label: set.label, previous_label: set.previous };
    },
  },
  {
    name: "label list",
    summary: "List the labels of a workspace, newest first",
    options: {
      workspace: workspaceOption,
      label: { value: "LABEL", description: "Only this label", choices: LABELS },
      subject: { value: "KIND", description: "Only labels of this kind of subject", choices: LABEL_SUBJECTS },
      cursor: PAGE_OPTIONS.cursor,
      limit: { value: "N", description: "Labels per page, 1 to 200; default 50" },
    },
    async run(context, given) {
      const { cursor, limit } = readPage(given);
      const page = await listLabels(context, {
        workspaceId: given.text("workspace"),
        label: given.optional("label"),
        kind: given.optional("subject"),
        before: cursor,
        ...(limit !== undefined && { limit }),
      });
      return {
        labels: page.labels.map(({ kind, id, label, actorKind, createdBy, createdAt }) => ({
          ...{ subject: kind, id, label, by: actorKind, by_id: createdBy, labelled_at: createdAt },
        })),
        next_cursor: page.older,
      };
    },
  },
  {
    name: "label import",
    summary: "Set labels from a CSV file with the columns label, and imprint, device_id, account_id or account_ref",
    options: { workspace: workspaceOption, file: { value: "FILE", description: "The CSV file", isRequired: true } },
    interruptionNotice: "Some rows are imported. Import the whole file again; rows already imported do not change.",
    async run(context, given, { stderr }) {
      const csv = await readText(given.text("file"));
      const progress = createProgress(stderr, "label import");
      const onRow = (done: number, total: number) => {
        const text = `${done} of ${total} rows`;
        progress.at(done / total, text);
        if (done % ROWS_OF_LINE === 0) progress.done(text);
      };
      const imported = importLabels(context, { workspaceId: given.text("workspace"), csv }, onRow);
      return { ...(await imported.finally(progress.end)) };
    },
  },
];

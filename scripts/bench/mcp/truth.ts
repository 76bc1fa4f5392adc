import type postgres from "postgres";

import { idToUuid, uuidToId } from "@/lib/contract/ids";

const DAY_MS = 86_400_000;

/** The UTC date `days` days before today. */
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A span of whole days in the tools' format, inclusive. */
export const lastDays = (days: number, endingBefore = 1) => ({
  from: dayBefore(endingBefore + days - 1),
  to: dayBefore(endingBefore),
});
export type Span = ReturnType<typeof lastDays>;

const secondOf = (at: Date) => `${at.toISOString().slice(0, "2026-01-31T09:00:00".length)}Z`;

type Row = Record<string, unknown>;

/** Correct answers from the tables: plain statements that share no code with the service. */
export function openTruth(sql: postgres.Sql, workspaceId: string) {
  const workspace = idToUuid(workspaceId);
  const rows = (text: string): Promise<Row[]> => sql.unsafe<Row[]>(text.replaceAll("$w", `'${workspace}'::uuid`));
  const one = async (text: string): Promise<unknown> => Object.values((await rows(text))[0] ?? {})[0];
  return {
    rows,
    number: async (text: string) => Number(await one(text)),
    text: async (text: string) => String(await one(text)),
    texts: async (text: string) => (await rows(text)).map((row) => String(Object.values(row)[0])),
    /** An instant in the tools' format. */
    instant: async (text: string) => secondOf(new Date(String(await one(text)))),
    id: async (kind: "imprint" | "device", text: string) => uuidToId(kind, String(await one(text))),
    uuid: idToUuid,
    /** SQL condition on visits: in the workspace and within the span. */
    within: ({ from, to }: Span) =>
      `workspace_id = $w and recorded_at >= '${from}T00:00:00Z' and recorded_at < '${to}T00:00:00Z'::timestamptz + interval '1 day'`,
  };
}
export type Truth = ReturnType<typeof openTruth>;

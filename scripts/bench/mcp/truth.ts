import type postgres from "postgres";

import { idToUuid, uuidToId } from "@/lib/contract/ids";

const DAY_MS = 86_400_000;

/** A whole day in UTC, so many before today. */
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A span of whole days as the tools take it, both days included. */
export const lastDays = (days: number, endingBefore = 1) => ({
  from: dayBefore(endingBefore + days - 1),
  to: dayBefore(endingBefore),
});
export type Span = ReturnType<typeof lastDays>;

const secondOf = (at: Date) => `${at.toISOString().slice(0, "2026-01-31T09:00:00".length)}Z`;

type Row = Record<string, unknown>;

/** What the tables say: plain statements that share nothing with the service's own. */
export function openTruth(sql: postgres.Sql, workspaceId: string) {
  const workspace = idToUuid(workspaceId);
  const rows = (text: string): Promise<Row[]> => sql.unsafe<Row[]>(text.replaceAll("$w", `'${workspace}'::uuid`));
  const one = async (text: string): Promise<unknown> => Object.values((await rows(text))[0] ?? {})[0];
  return {
    rows,
    number: async (text: string) => Number(await one(text)),
    text: async (text: string) => String(await one(text)),
    texts: async (text: string) => (await rows(text)).map((row) => String(Object.values(row)[0])),
    /** An instant as the tools write it. */
    instant: async (text: string) => secondOf(new Date(String(await one(text)))),
    id: async (kind: "imprint" | "device", text: string) => uuidToId(kind, String(await one(text))),
    uuid: idToUuid,
    /** A condition on visits: of the workspace and within whole days. */
    within: ({ from, to }: Span) =>
      `workspace_id = $w and recorded_at >= '${from}T00:00:00Z' and recorded_at < '${to}T00:00:00Z'::timestamptz + interval '1 day'`,
  };
}
export type Truth = ReturnType<typeof openTruth>;

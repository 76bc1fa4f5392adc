import { AppError } from "@/lib/errors";
import { listAudit } from "@/lib/workspaces";
import type { Command, Given } from "../command";

const DAY_MS = 86_400_000;

/** The start of a UTC day, or its end with a day added. */
function dayOf(given: Given, name: string, plusMs: number): Date | undefined {
  const text = given.optional(name);
  if (text === undefined) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()))
    throw new AppError("invalid_request", { message: `--${name} is a date such as 2026-11-21` });
  return new Date(day.getTime() + plusMs);
}

export const auditCommands: readonly Command[] = [
  {
    name: "audit list",
    summary: "Show who changed what, newest first",
    options: {
      workspace: { value: "ID", description: "Workspace, `ws_…`; without it the events of the whole instance" },
      action: { value: "NAME", description: "Only this action, `api_key.rotate`, or all of a resource, `api_key`" },
      actor: { value: "ID", description: "Only what this person or client did, or a kind such as `operator`" },
      target: { value: "ID", description: "Only what was done to this" },
      from: { value: "DATE", description: "From this UTC date on, `YYYY-MM-DD`" },
      to: { value: "DATE", description: "Up to this UTC date, included" },
      cursor: { value: "CURSOR", description: "Go on after an earlier page: its `next_cursor`" },
      limit: { value: "N", description: "Entries of a page, 1 to 200; 50 unless given" },
    },
    async run(context, given) {
      const limit = given.optional("limit");
      if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) {
        throw new AppError("invalid_request", { message: "--limit is a number from 1 to 200" });
      }
      const page = await listAudit(context, {
        workspaceId: given.optional("workspace"),
        cursor: given.optional("cursor"),
        limit: limit === undefined ? undefined : Number(limit),
        filter: {
          action: given.optional("action"),
          actor: given.optional("actor"),
          target: given.optional("target"),
          from: dayOf(given, "from", 0),
          to: dayOf(given, "to", DAY_MS),
        },
      });
      const entries = page.entries.map((entry) => ({
        at: entry.at,
        actor: entry.actorId === "" ? entry.actorKind : `${entry.actorKind} ${entry.actorId}`,
        action: entry.action,
        target: entry.target,
        session: entry.credential,
        address: entry.address,
        request: entry.requestId,
        detail: entry.detail,
      }));
      return { entries, next_cursor: page.nextCursor ?? null };
    },
  },
];

import { endOfDay, startOfDay } from "@/lib/audit";
import { AppError } from "@/lib/errors";
import { listAudit } from "@/lib/workspaces";
import type { Command, Given } from "../command";

function dayOf(given: Given, name: string, read: (text: string) => Date | undefined): Date | undefined {
  const text = given.optional(name);
  if (text === undefined) return undefined;
  const at = read(text);
  if (!at) throw new AppError("invalid_request", { message: `--${name} is a date such as 2026-11-21` });
  return at;
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
          from: dayOf(given, "from", startOfDay),
          to: dayOf(given, "to", endOfDay),
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

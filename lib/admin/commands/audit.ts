import { AppError } from "@/lib/errors";
import { listAudit } from "@/lib/workspaces";
import type { Command } from "../command";

export const auditCommands: readonly Command[] = [
  {
    name: "audit list",
    summary: "Show who changed what, newest first",
    options: {
      workspace: { value: "ID", description: "Workspace, `ws_…`; without it the events of the whole instance" },
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
      });
      const entries = page.entries.map((entry) => ({
        at: entry.at,
        actor: entry.actorId === "" ? entry.actorKind : `${entry.actorKind} ${entry.actorId}`,
        action: entry.action,
        target: entry.target,
        detail: entry.detail,
      }));
      return { entries, next_cursor: page.nextCursor ?? null };
    },
  },
];

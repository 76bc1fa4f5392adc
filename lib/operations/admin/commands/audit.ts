import { listAudit } from "@/lib/tenancy/workspaces";
import type { Command } from "../command";
import { PAGE_OPTIONS, readPage } from "../page-options";

export const auditCommands: readonly Command[] = [
  {
    name: "audit list",
    summary: "Show the audit log, newest first",
    options: {
      workspace: { value: "ID", description: "Workspace, `ws_…`; default: the instance's own events" },
      action: {
        value: "NAME",
        description: "Only this action (`api_key.rotate`), or all actions on a resource (`api_key`)",
      },
      actor: {
        value: "ID",
        description: "Only actions of this person or client, or of a kind of actor such as `operator`",
      },
      target: { value: "ID", description: "Only entries about this target" },
      ...PAGE_OPTIONS,
    },
    async run(context, given) {
      const { cursor, limit, days } = readPage(given);
      const page = await listAudit(context, {
        workspaceId: given.optional("workspace"),
        cursor,
        limit,
        filter: {
          action: given.optional("action"),
          actor: given.optional("actor"),
          target: given.optional("target"),
          ...days,
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

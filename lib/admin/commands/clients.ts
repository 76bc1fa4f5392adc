import { AppError } from "@/lib/errors";
import { listClients, revokeAllClients, revokeClient } from "@/lib/oauth";
import { type Command, workspaceOption } from "../command";

export const clientCommands: readonly Command[] = [
  {
    name: "client list",
    summary: "List the clients that people connected to a workspace",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const rows = await listClients(context, { workspaceId: given.text("workspace"), isAll: true });
      return {
        clients: rows.map((row) => ({
          connection_id: row.grantId,
          client: row.clientName,
          vouched_for_by: row.verifiedHost,
          answers_at: row.redirectTarget,
          user_id: row.userId,
          scope: row.scope,
          connected_at: row.connectedAt,
          last_used_at: row.lastUsedAt,
          expires_at: row.expiresAt,
        })),
      };
    },
  },
  {
    name: "client revoke",
    summary: "End the access of one connected client, or of all",
    options: {
      workspace: workspaceOption,
      connection: { value: "ID", description: "Connection, as `client list` shows it" },
      all: { description: "Every client of the workspace" },
    },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const grantId = given.optional("connection");
      if ((grantId === undefined) !== given.has("all")) {
        throw new AppError("invalid_request", { message: "Name one with --connection, or all with --all" });
      }
      if (grantId === undefined) return await revokeAllClients(context, { workspaceId, isAll: true });
      await revokeClient(context, { workspaceId, grantId });
      return { revoked: 1 };
    },
  },
];

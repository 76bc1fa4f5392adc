import { AppError } from "@/lib/contract/errors";
import {
  listClients,
  listToolCalls,
  readMcpPolicy,
  revokeAllClients,
  revokeClient,
  setRedirectRules,
  switchMcp,
} from "@/lib/interfaces/oauth";
import { type Command, workspaceOption } from "../command";
import { PAGE_OPTIONS, readPage } from "../page-options";

const shownPolicy = ({ isEnabled, redirectRules }: Awaited<ReturnType<typeof readMcpPolicy>>) => ({
  enabled: isEnabled,
  redirects: redirectRules,
});

const mcpCommands: readonly Command[] = [
  {
    name: "mcp show",
    summary: "Show whether the MCP server is on, and which redirect addresses are allowed",
    options: {},
    run: async (context) => shownPolicy(await readMcpPolicy(context)),
  },
  {
    name: "mcp switch",
    summary: "Turn the instance's MCP server on or off; connections are kept",
    options: { to: { value: "STATE", description: "on or off", choices: ["on", "off"], isRequired: true } },
    run: async (context, given) => shownPolicy(await switchMcp(context, { isEnabled: given.text("to") === "on" })),
  },
  {
    name: "mcp set-redirects",
    summary: "Set the redirect addresses that clients may use; others are refused",
    options: {
      allow: {
        value: "RULE",
        description: "A host, an https URL, an application's scheme (`cursor:`), or `this-machine`",
        isRepeatable: true,
      },
      any: { description: "Allow any address that a client registers" },
    },
    async run(context, given) {
      const rules = given.list("allow");
      if (rules.length > 0 === given.has("any"))
        throw new AppError("invalid_request", { message: "Give allowed addresses with --allow, or use --any" });
      return shownPolicy(await setRedirectRules(context, { rules }));
    },
  },
];

export const clientCommands: readonly Command[] = [
  ...mcpCommands,
  {
    name: "client list",
    summary: "List the clients that people have connected to a workspace",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const rows = await listClients(context, { workspaceId: given.text("workspace"), isAll: true });
      return {
        clients: rows.map((row) => ({
          connection_id: row.grantId,
          client: row.clientName,
          client_id: row.clientId,
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
    name: "client calls",
    summary: "Show which tools connected clients called, newest first",
    options: {
      workspace: workspaceOption,
      tool: { value: "NAME", description: "Only this tool, e.g. `svc_get_report`" },
      client: { value: "ID", description: "Only this client" },
      user: { value: "ID", description: "Only this person's clients" },
      imprint: { value: "IMPRINT", description: "Only calls about this imprint" },
      outcome: { value: "OUTCOME", description: "`answered`, `refused`, or the error code of a refusal" },
      ...PAGE_OPTIONS,
    },
    async run(context, given) {
      const { cursor, limit, days } = readPage(given);
      const page = await listToolCalls(context, {
        workspaceId: given.text("workspace"),
        isAll: true,
        cursor,
        limit,
        filter: {
          tool: given.optional("tool"),
          clientId: given.optional("client"),
          userId: given.optional("user"),
          imprint: given.optional("imprint"),
          outcome: given.optional("outcome"),
          ...days,
        },
      });
      const calls = page.calls.map((call) => ({
        at: call.calledAt,
        tool: call.tool,
        imprint: call.imprint,
        outcome: call.code === "" ? "answered" : call.code,
        duration_ms: call.durationMs,
        client: call.clientName,
        client_id: call.clientId,
        user_id: call.userId,
        connection_id: call.grantId,
        request: call.requestId,
      }));
      return { calls, next_cursor: page.nextCursor ?? null };
    },
  },
  {
    name: "client revoke",
    summary: "Revoke the access of one connected client, or of all",
    options: {
      workspace: workspaceOption,
      connection: { value: "ID", description: "Connection, as shown by `client list`" },
      all: { description: "Every client of the workspace" },
    },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const grantId = given.optional("connection");
      if ((grantId === undefined) !== given.has("all")) {
        throw new AppError("invalid_request", { message: "Give one with --connection, or all with --all" });
      }
      if (grantId === undefined) return await revokeAllClients(context, { workspaceId, isAll: true });
      await revokeClient(context, { workspaceId, grantId });
      return { revoked: 1 };
    },
  },
];

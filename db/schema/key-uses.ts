import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";

/** Clients of an API key by hour: enough to see who used a leaked key. Bounded per key and hour. */
export const apiKeyUses = pgTable(
  "api_key_uses",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    keyId: id("apiKey", "key_id").notNull(),
    hour: instant("hour").notNull(),
    /** Client IP; empty if unknown, `*` for everything beyond the bound. */
    address: text("address").notNull(),
    /** `User-Agent`, restricted to printable characters and truncated; `*` beyond the bound. */
    agent: text("agent").notNull(),
    /** Operation id of the contract. */
    operation: text("operation").notNull(),
    /** Error code of the refusal; empty if the call succeeded. */
    code: text("code").notNull(),
    calls: integer("calls").notNull(),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
    lastRequestId: text("last_request_id").notNull(),
  },
  (table) => [
    primaryKey({
      name: "api_key_uses_pkey",
      columns: [table.workspaceId, table.keyId, table.hour, table.address, table.agent, table.operation, table.code],
    }),
    index("api_key_uses_hour").on(table.hour),
  ],
);

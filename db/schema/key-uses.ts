import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";

/** Who called with an API key, by hour: enough to see what used a key that leaked. Bounded per key and hour. */
export const apiKeyUses = pgTable(
  "api_key_uses",
  {
    workspaceId: id("workspace", "workspace_id").notNull(),
    keyId: id("apiKey", "key_id").notNull(),
    hour: instant("hour").notNull(),
    /** Of the client; empty when it was not known, `*` collects what lies beyond the bound. */
    address: text("address").notNull(),
    /** `User-Agent` as it came, printable and cut; `*` beyond the bound. */
    agent: text("agent").notNull(),
    /** Operation of the contract, by its id. */
    operation: text("operation").notNull(),
    /** Error code of the refusal; empty when the call was answered. */
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

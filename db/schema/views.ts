import { pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { workspaces } from "./workspaces";

/** Saved, named filters of the Report list. */
export const reportViews = pgTable(
  "report_views",
  {
    workspaceId: id("workspace", "workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    viewId: id("view", "view_id").notNull(),
    name: text("name").notNull(),
    /** The filters as the query string of the list, without `?`. */
    query: text("query").notNull(),
    /** User id; empty if created by the operator. */
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.viewId] }),
    unique("report_views_name").on(table.workspaceId, table.name),
  ],
);

import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

import type { Position } from "./cursor";

/** Columns of a row's position in a list ordered by time and id. */
export const positionColumns = <Id extends PgColumn>(at: PgColumn, id: Id) => ({
  at: sql<string>`${at}::text`.as("position_at"),
  id,
});

/** The rows behind a position, latest first; undefined for the first page. */
export const behind = (at: PgColumn, id: PgColumn, position: Position | undefined): SQL | undefined =>
  position && sql`(${at}, ${id}) < (${position.at}::timestamptz, ${sql.param(position.id, id)}::uuid)`;

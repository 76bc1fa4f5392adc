import { type SQL, sql } from "drizzle-orm";

/**
 * One row if the condition holds, which the planner takes for a thousand. A lookup that is joined with it, and needs only
 * the first rows of an order, is then planned with the index that has this order. Otherwise, if the planner knows of no
 * rows of a workspace, as after a large backlog within minutes, all its indexes look the same, and each lookup may read
 * the whole backlog. docs/decisions/0086-lookups-without-statistics.md
 */
export const once = (condition: SQL): SQL => sql`generate_series(1, (${condition})::int) once`;

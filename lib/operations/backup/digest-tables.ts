import { createContent } from "./content";
import type { Content, End } from "./manifest";
import { withSnapshot } from "./queries-snapshot";
import { failWhenStalled } from "./stall";

/** Digests each table's rows in their order on disk. A restored database has the same digests as its backup. */
const digestTables = (url: string): Promise<Record<string, Content>> =>
  withSnapshot(url, async ({ tables, read }) => {
    const contents: Record<string, Content> = {};
    for (const table of tables) {
      const content = createContent();
      const rows = await read(table);
      const { touch } = failWhenStalled(rows, `reading ${table.name}`);
      for await (const chunk of rows as AsyncIterable<Buffer>) {
        content.add(chunk);
        touch();
      }
      contents[table.name] = content.finish();
    }
    return contents;
  });

/** @throws Error if a table differs from the backup */
export async function compareTables(url: string, { tables }: End): Promise<void> {
  const found = await digestTables(url);
  const other = Object.keys(tables).filter((name) => tables[name]?.sha256 !== found[name]?.sha256);
  if (other.length > 0) throw new Error(`differ from the backup: ${other.join(", ")}`);
}

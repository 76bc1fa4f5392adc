import { connectForDistribution, distribute } from "@/db/distribute";
import type { Installation } from "@/lib/operations/backup";

/** Places every table where its class belongs. */
export async function distributeDatabase(
  installation: Installation,
  { shards }: { shards: number },
): Promise<Record<string, unknown>> {
  const sql = connectForDistribution(await installation.openServer());
  try {
    const { moved } = await distribute(sql, {
      shards,
      onMove({ table }) {
        installation.output.write(`distribute: ${table}\n`);
      },
    });
    return { moved: moved.map(({ table }) => table) };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

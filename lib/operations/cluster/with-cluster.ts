import { connectForPlacing } from "@/db/cluster/connect";
import { refuseWithoutCluster } from "@/db/cluster/distribute";
import { createProgress, type Installation } from "@/lib/operations/backup";

type Work<T> = (sql: ReturnType<typeof connectForPlacing>, progress: ReturnType<typeof createProgress>) => Promise<T>;

/** Runs work on a cluster through its coordinator. @throws AppError `conflict` if the database is not a coordinator */
export async function withCluster<T>({ openServer, output }: Installation, title: string, work: Work<T>): Promise<T> {
  const sql = connectForPlacing(await openServer());
  const progress = createProgress(output, title);
  try {
    await refuseWithoutCluster(sql);
    return await work(sql, progress);
  } finally {
    progress.end();
    await sql.end({ timeout: 5 });
  }
}

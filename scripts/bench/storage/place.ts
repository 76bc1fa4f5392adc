import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type postgres from "postgres";

import { connect, publishConnection } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { DATABASE, readConnection, urlOf } from "@/db/embedded-connection";
import { migrateDatabase } from "@/db/migrate";
import { env } from "@/lib/platform/env";
import { createKey } from "@/lib/tenancy/api-keys";
import { call, createSite, readReport } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import type { CleanUp } from "../../common/command";
import { seededRandom } from "../../common/random";
import { makeDataDir } from "../../common/service";
import { drawSample } from "../match/sample";
import { submissionMaker } from "../submissions/submissions";
import { connectTo } from "../../common/connection";
import { inParallel, integers } from "../../common/in-parallel";

const POOL = 8;
/** Concurrent visits: enough to keep the connections busy. */
const AT_ONCE = 8;
/** Number of keys, typical of a site. */
const KEYS = 2;
/** Pause when a fast machine reaches a key's limit. */
const PAUSE_MS = 20;

/**
 * Runs the service in this process, on an embedded server with its normal settings, so that the write-ahead log is
 * representative.
 */
export async function openPlace(cleanUp: CleanUp, seed: number, prepare?: (admin: postgres.Sql) => Promise<void>) {
  const dataDir = resolve(makeDataDir(cleanUp));
  const server = await openEmbedded({ dataDir, binDir: env.PG_BIN_DIR });
  cleanUp.push(() => server.close());
  await migrateDatabase(server.url, "db/migrations");
  const saved = readConnection(dataDir);
  if (!saved) throw new Error(`${dataDir} has no conn.json`);
  // As superuser, who may change settings and request checkpoints.
  const admin = connectTo(urlOf(saved, DATABASE));
  cleanUp.push(() => admin.end({ timeout: 5 }));
  await prepare?.(admin);
  const connection = connect({ url: server.url, poolSize: POOL, prepare: true, applicationName: "bench" });
  cleanUp.push(connection.close);
  publishConnection(connection);
  const site = await createSite(connection.db);
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index += 1)
    keys.push((await createKey(operatorContext(connection.db), { ...site, name: `Bench ${index}` })).apiKey);
  const random = seededRandom(seed);
  const makeSubmission = submissionMaker(site, drawSample(random), random);
  return { db: connection.db, workspaceId: site.workspaceId, admin, keys, makeSubmission };
}
export type Place = Awaited<ReturnType<typeof openPlace>>;

async function visitOnce({ keys, makeSubmission }: Place, index: number): Promise<void> {
  const { address, headers, body } = makeSubmission();
  const answer = await call("/api/v1/imprints", { method: "POST", headers, body, address });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`A submission returned ${answer.status}: ${text}`);
  const { imprint } = JSON.parse(text) as { imprint: string }; // a 201 has one
  const read = () => readReport(keys[index % KEYS] ?? "", imprint);
  let report = await read();
  for (; report.status === 429; report = await read()) await delay(PAUSE_MS);
  if (report.status !== 200) throw new Error(`Reading a Report returned ${report.status}: ${await report.text()}`);
}

/** Makes visits through the service and reads each Report once. */
export async function putVisits(place: Place, count: number): Promise<void> {
  await inParallel(AT_ONCE, integers(count), (index) => visitOnce(place, index));
}

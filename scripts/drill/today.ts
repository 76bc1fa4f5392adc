import fs from "node:fs";
import path from "node:path";

import { openDisposable } from "@/db/embedded";
import { systemPrograms } from "@/db/embedded-binaries";
import { uuidToId } from "@/lib/contract/ids";
import { type CleanUp, withCleanUp } from "../common/command";
import { query } from "../common/connection";
import { embeddedDatabaseUrl } from "../common/embedded-database";
import { adminTexts, environmentWith, runAdmin } from "../common/processes";
import { makeDataDir, type Service, startService } from "../common/service";
import { backUp, destroy, digest, environmentOf, expectEqual, PASSPHRASE, restore, type Step } from "./installation";

const REPORTS = 50;
/** The oldest supported server version. */
const OLDEST_MAJOR = 15;

/** Creates a workspace with demo visits; returns its key and the event ids of some Reports. */
async function fill({ env, dataDir }: Service) {
  const workspace = await adminTexts(
    ["workspace", "create", "--name", "Acme", "--plan", "enterprise"],
    env,
    "workspace_id",
  );
  const of = ["--workspace", workspace.workspace_id];
  const app = ["web-app", "create", ...of, "--name", "Shop", "--origin", "https://shop.example"];
  const { api_key: key } = await adminTexts(app, env, "api_key");
  await runAdmin(["demo-data", ...of, "--days", "20", "--force"], env);
  const rows = await query(
    embeddedDatabaseUrl(dataDir),
    `select event_id from visits order by event_id desc limit ${REPORTS}`,
  );
  return { key, imprints: rows.map((row) => uuidToId("imprint", String(row["event_id"]))) };
}

async function readReports(url: string, { key, imprints }: Awaited<ReturnType<typeof fill>>): Promise<string[]> {
  const found: string[] = [];
  for (const imprint of imprints) {
    const response = await fetch(`${url}/api/v1/fingerprint/report/${imprint}`, { headers: { "x-api-key": key } });
    found.push(`${response.status} ${digest(await response.text())}`);
  }
  return found;
}

function killDatabase(dataDir: string): void {
  const [id] = fs.readFileSync(path.join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n");
  process.kill(Number(id), "SIGKILL");
}

/** Restores into an external server of the oldest supported version, and reads Reports from it. */
async function drillOwnServer(
  file: string,
  { known, before }: { known: Awaited<ReturnType<typeof fill>>; before: string[] },
  outer: CleanUp,
  step: Step,
) {
  const programs = systemPrograms(OLDEST_MAJOR);
  if (programs === undefined) throw new Error(`Install the server with: apt-get install postgresql-${OLDEST_MAJOR}`);
  await withCleanUp(outer, async (cleanUp) => {
    const server = await openDisposable(programs);
    cleanUp.push(() => server.stop());
    await query(server.url, "create database drill owner imprint_service");
    const DATABASE_URL = Object.assign(new URL(server.serviceUrl), { pathname: "/drill" }).href;
    const dataDir = makeDataDir(cleanUp);
    const variables = { DATABASE_URL, BACKUP_PASSPHRASE: PASSPHRASE };
    await restore(environmentOf(dataDir, variables), file, step);
    const service = await startService({ cleanUp, dataDir, variables });
    expectEqual(await readReports(service.address, known), before, "Reports from an external server");
    step(`PostgreSQL ${OLDEST_MAJOR} through DATABASE_URL returns the same Reports`);
  });
}

/**
 * Tests an installation of this version: backed up while the service runs, killed and destroyed, restored, compared.
 */
export async function drillToday(cleanUp: CleanUp, step: Step): Promise<void> {
  const dataDir = makeDataDir(cleanUp);
  const service = await startService({ dataDir, variables: { BACKUP_PASSPHRASE: PASSPHRASE } });
  const known = await fill(service);
  const before = await readReports(service.address, known);
  const [first = ""] = before;
  expectEqual([before.length, first.slice(0, 3)], [REPORTS, "200"], "Reports before");
  const file = await backUp(environmentWith(service.env), makeDataDir(cleanUp), step);
  process.kill(service.pid, "SIGKILL");
  killDatabase(dataDir);
  await service.ended;
  destroy(dataDir, step);
  const restored = makeDataDir(cleanUp);
  await restore(environmentOf(restored), file, step);
  const again = await startService({ dataDir: restored });
  try {
    expectEqual(await readReports(again.address, known), before, "Reports after");
    step(`${REPORTS} Reports are byte for byte as before`);
  } finally {
    await again.stop();
  }
  await drillOwnServer(file, { known, before }, cleanUp, step);
}

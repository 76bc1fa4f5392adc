import { randomBytes } from "node:crypto";

import { openDisposable } from "@/db/embedded";
import { SERVICE_ROLE } from "@/db/embedded-connection";
import { createSite, readReport, type RunningService, type Site, startService, visit } from "@/e2e/service";
import type { CleanUp } from "../common/command";
import { connectTo } from "../common/connection";

/** Starts a new server with a new database; returns its URL, and a function for statements as superuser. */
export async function openServer(cleanUp: CleanUp, folder?: string) {
  const server = await openDisposable(undefined, folder);
  cleanUp.push(() => server.stop());
  const name = `faults_${randomBytes(4).toString("hex")}`;
  const administrator = connectTo(server.url);
  cleanUp.push(() => administrator.end({ timeout: 5 }));
  await administrator.unsafe(`create database ${name} owner ${SERVICE_ROLE}`);
  const url = Object.assign(new URL(server.serviceUrl), { pathname: `/${name}` }).href;
  return { name, url, asAdministrator: (statement: string) => administrator.unsafe(statement) };
}

/** Starts the real service, with a site whose first Report was delivered. */
export async function openService(
  cleanUp: CleanUp,
  options: { databaseUrl: string; environment?: Record<string, string> },
) {
  const service = await startService(options);
  cleanUp.push(() => service.stop());
  const site = await createSite(service);
  const imprint = await visit(service.url, site);
  const { status } = await readReport(service.url, site.apiKey, imprint);
  if (status !== 200) throw new Error(`Reading the first Report returned ${status}.`);
  return { service, site, imprint };
}

export type Subject = { service: RunningService; site: Site; imprint: string };

/** Number of answers per status. */
export function countStatuses(statuses: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

import type { Database } from "@/db/client";
import { composeExactly } from "@/lib/contract/challenge-proof";
import { idToUuid } from "@/lib/contract/ids";
import { timingsFor } from "@/test/timings";
import { CHROME_USER_AGENT, ordinarySignals } from "@/test/visits";
import { sql } from "drizzle-orm";

import { type Operator, openOperator } from "./operator";
import { makeDataDir, removeDataDir, type Service, startService as startProcess, stopService } from "./process/service";
import { createSiteBy } from "@/scripts/common/site";

const TEST_KEY = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

/** Secrets shared by a service and this process, which calls verbs on the service's database. */
export const TEST_SECRETS = {
  AUTH_SECRET: "test-auth-secret-test-auth-secret",
  KEY_PEPPER: TEST_KEY,
  KEKS: TEST_KEY,
};

type Options = {
  databaseUrl: string;
  /** Kept by the caller; without it, a temporary one is removed when the service stops. */
  dataDir?: string;
  /** The service's settings; `TEST_SECRETS` by default. */
  environment?: Record<string, string>;
};

export type RunningService = Service & Omit<Operator, "close"> & { stop: () => Promise<void> };

/** Starts the real service from the test run's build, on a free port. */
export async function startService({ dataDir, databaseUrl, environment }: Options): Promise<RunningService> {
  const folder = dataDir ?? makeDataDir();
  const settings = { ...TEST_SECRETS, ...environment };
  const service = await startProcess({ dataDir: folder, environment: { ...settings, DATABASE_URL: databaseUrl } });
  const { close, ...operator } = openOperator({ databaseUrl, secrets: settings, url: service.url });
  return {
    ...service,
    ...operator,
    async stop() {
      await Promise.all([stopService(service), close()]);
      if (dataDir === undefined) removeDataDir(folder);
    },
  };
}

export { untilOnSale } from "@/scripts/common/until";

export type Site = { workspaceId: string; webAppId: string; environmentId: string; apiKey: string; origin: string };

/** Creates a workspace with one Web App and its key on the command line. */
export const createSite = (service: RunningService, origin?: string): Promise<Site> =>
  createSiteBy(service.admin, { origin });

type Challenge = { challenge: string; token?: string };
type Visitor = { token?: string | undefined; surface?: string; headers?: Record<string, string> };

const post = (url: string, site: Site, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers: { Origin: site.origin, "User-Agent": CHROME_USER_AGENT, ...headers } });

export async function requestChallenge(url: string, site: Site, { token, headers }: Visitor = {}): Promise<Challenge> {
  const body = JSON.stringify({ environment_id: site.environmentId, token });
  return (await (await post(`${url}/api/v1/imprints/challenge`, site, body, headers)).json()) as Challenge;
}

/** A submission body as an ordinary browser's component sends it. */
export const submissionBody = (site: Site, { challenge, token }: Challenge, surface?: string): string =>
  composeExactly({
    v: 1,
    environment_id: site.environmentId,
    challenge,
    token,
    surface,
    signals: ordinarySignals(),
    timings: timingsFor(ordinarySignals()),
  });

export const submit = (url: string, site: Site, body: string, headers?: Record<string, string>): Promise<Response> =>
  post(`${url}/api/v1/imprints`, site, body, headers);

/** Makes a complete visit without a browser; resolves to its imprint. */
export async function visit(url: string, site: Site, visitor: Visitor = {}): Promise<string> {
  const issued = await requestChallenge(url, site, visitor);
  const token = visitor.token ?? issued.token;
  const body = submissionBody(site, { ...issued, ...(token === undefined ? {} : { token }) }, visitor.surface);
  const response = await submit(url, site, body, visitor.headers);
  const { imprint } = (await response.json()) as { imprint: string };
  return imprint;
}

export const readReport = (
  url: string,
  apiKey: string,
  imprint: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}/api/v1/fingerprint/report/${imprint}`, { headers: { "X-API-Key": apiKey, ...headers } });

export const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;

type Stored = { visits: number; devices: number; uses: number; refused: number };

/** Row counts of a workspace that a request could have changed. */
export async function storedOf(db: Database, site: Site): Promise<Stored | undefined> {
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const [row] = await db.execute<Stored>(sql`
    select (select count(*)::int from visits where workspace_id = ${workspace}) as visits,
      (select count(*)::int from devices where workspace_id = ${workspace}) as devices,
      (select count(*)::int from challenge_uses where workspace_id = ${workspace}) as uses,
      (select coalesce(sum(count), 0)::int from refused_origins where workspace_id = ${workspace}) as refused`);
  return row;
}

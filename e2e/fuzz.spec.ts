import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { MANAGEMENT_SCOPES } from "@/lib/contract/manage";
import { createManagementKey } from "@/lib/tenancy/management";
import { createLoginLink } from "@/lib/tenancy/sign-in";
import { createSite, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { addMember } from "@/lib/tenancy/workspaces";
import { collectErrors } from "@/scripts/fuzz/log-lines";
import { runFuzz } from "@/scripts/fuzz/run";
import { type Operator, ORIGIN, createFixtures } from "@/scripts/fuzz/fixtures";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { ROOT } from "./process/service";
import { type RunningService, startService, TEST_SECRETS } from "./service";

const SEED = 1;
const REQUESTS = 2_000;
const START_MS = 400_000;

const { url: databaseUrl, db } = await createTestDatabase();
const sandbox = await startSandbox();
let service: RunningService;

beforeAll(async () => {
  const environment = { ...TEST_SECRETS, ...sandbox.variables, TRUSTED_PROXIES: "loopback", LOG_LEVEL: "error" };
  service = await startService({ databaseUrl, environment });
}, START_MS);
afterAll(async () => {
  await service.stop();
  await sandbox.close();
});

const operator = operatorContext(db);
/** Calls the verbs directly, because each admin command would be a process. */
const byVerbs: Operator = {
  createSite: (plan) => createSite(db, { plan, origins: [ORIGIN] }),
  addMember: async (workspaceId, email, role) => (await addMember(operator, { workspaceId, email, role })).userId,
  loginLink: async (email) => (await createLoginLink(operator, { email })).url,
  createManagementKey: async (workspaceId) =>
    (await createManagementKey(operator, { workspaceId, name: "CI", scopes: MANAGEMENT_SCOPES })).secret,
};

test("a sign-in link without its email address does not affect concurrent Report reads", async () => {
  const site = await createSite(db, { origins: [ORIGIN] });
  const imprints = await Promise.all(Array.from({ length: 8 }, () => visit(site).then(({ imprint }) => imprint)));
  const read = async (imprint: string) => {
    const headers = { "X-API-Key": site.apiKey };
    const response = await fetch(`${service.url}/api/v1/fingerprint/report/${imprint}`, { headers });
    return ((await response.json()) as { imprint?: string }).imprint;
  };
  const disturb = () => fetch(`${service.url}/api/auth/callback/email?token=x`, { redirect: "manual" });
  for (let round = 0; round < 5; round += 1) {
    const [answers] = await Promise.all([Promise.all(imprints.map(read)), disturb(), disturb()]);
    expect(answers).toEqual(imprints);
  }
});

test(
  `${REQUESTS} requests of seed ${SEED} over every operation, tool, page and form find nothing`,
  { timeout: 300_000 },
  async () => {
    const fixtures = await createFixtures({
      base: service.url,
      operator: byVerbs,
      sandbox,
      clients: 3,
      pagesFolder: join(ROOT, ".test/next"),
    });
    const errors = collectErrors();
    const onProgress = () => undefined;
    const summary = await runFuzz(fixtures, { seed: SEED, requests: REQUESTS, onProgress, onAnswer: errors.name });
    for (const line of service.output().split("\n")) errors.read(line);
    const { findings, unreached } = errors.addTo(summary);
    // Each finding includes a command that resends it.
    expect(findings).toEqual([]);
    expect(unreached).toEqual([]);
  },
);

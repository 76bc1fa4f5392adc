import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { drawInitialValues } from "@/lib/tenancy/sign-in";
import { listWorkspaces } from "@/lib/tenancy/workspaces";
import { operatorContext } from "@/test/workspaces";
import { codeOf, readReport, TEST_SECRETS } from "../service";
import { launch, makeDataDir, removeDataDir, startService, stopService } from "./service";

/** Three starts on a busy machine. */
const START_MS = 300_000;

test(
  "services that start concurrently on an empty database form one installation as given by INIT_*; an incomplete set does not start",
  { timeout: START_MS },
  async () => {
    const { db, url: databaseUrl } = await createTestDatabase();
    const { apiKey, environmentId } = drawInitialValues();
    const owner = { INIT_OWNER_EMAIL: "ada@example.com", INIT_WORKSPACE: "Acme" };
    const webApp = { INIT_WEB_APP: "Shop", INIT_ORIGINS: "https://shop.example", INIT_ENVIRONMENT_ID: environmentId };
    const base = { ...TEST_SECRETS, DATABASE_URL: databaseUrl };
    const dataDir = makeDataDir();
    try {
      const half = launch({ dataDir, environment: { ...base, ...owner, ...webApp } });
      expect(await half.ended).toBe(1);
      expect(half.output()).toContain("Imprint could not start: INIT_API_KEY (or INIT_API_KEY_FILE) missing");

      const environment = { ...base, ...owner, ...webApp, INIT_API_KEY: apiKey };
      const services = await Promise.all([0, 1].map(() => startService({ dataDir, environment })));
      const printed = services.map(({ output }) => output());
      const workspaces = await listWorkspaces(operatorContext(db));
      expect(workspaces).toMatchObject([{ name: "Acme" }]);
      expect(printed.filter((text) => text.includes(`workspace ${workspaces[0]?.workspaceId}`))).toHaveLength(1);
      expect(printed.join()).not.toMatch(/Set-up {4}http/);
      expect(printed.join()).not.toContain(apiKey);
      for (const { url } of services) {
        const answer = await readReport(url, apiKey, `imp_${"0".repeat(32)}`);
        expect([answer.status, await codeOf(answer)]).toEqual([404, "report_not_found"]);
      }
      await Promise.all(services.map(stopService));
    } finally {
      removeDataDir(dataDir);
    }
  },
);

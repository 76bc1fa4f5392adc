import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { Report } from "@/lib/contract/report";
import { readReleases } from "../../../scripts/component/releases.mjs";
import { createSite, readReport, requestChallenge, submit } from "@/test/visits";

const { db } = await createTestDatabase();

const recorded = (version: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "released", `${version}.json`), "utf8")) as Record<string, unknown>;

test.each(await readReleases())(
  "submissions of component release $version are still accepted, repeatedly",
  async ({ version }) => {
    const site = await createSite(db);
    const visitWith = async (token: string | undefined) => {
      const issued = await requestChallenge(site, { token });
      const sent = token ?? issued.token;
      const body = {
        ...recorded(version),
        environment_id: site.environmentId,
        challenge: issued.challenge,
        token: sent,
      };
      const response = await submit(site, JSON.stringify(body));
      expect(response.status).toBe(201);
      const { imprint } = (await response.json()) as { imprint: string };
      return { token: sent, report: Report.parse(await (await readReport(site.apiKey, imprint)).json()) };
    };
    const first = await visitWith(undefined);
    const second = await visitWith(first.token);
    expect(second.report.device).toMatchObject({ id: first.report.device.id, access_count: 2 });
    // A recording under a new challenge. Releases without a proof can only be reported as incomplete.
    const told = "proof" in recorded(version) ? "ENVIRONMENT_INCONSISTENT" : "SIGNAL_DATA_INCOMPLETE";
    for (const { report } of [first, second])
      expect(report.risk.findings).toContainEqual({ reason: told, status: "SUSPICIOUS" });
  },
);

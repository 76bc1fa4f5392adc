import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { composeExactly } from "@/lib/contract/challenge-proof";
import { Report } from "@/lib/contract/report";
import captured from "@/lib/visits/risk/captures/chromium.json";
import { timingsFor } from "@/test/timings";
import { createSite, readReport, requestChallenge, type Site, submit } from "@/test/visits";

const { db } = await createTestDatabase({ poolSize: 20 });

const { request, signals } = captured;
const HEADERS = {
  "user-agent": request.userAgent,
  "accept-language": request.acceptLanguage,
  "sec-ch-ua": request.clientHints.brands,
  "sec-ch-ua-mobile": request.clientHints.mobile,
  "sec-ch-ua-platform": request.clientHints.platform,
};
const TIMINGS = timingsFor(signals, { total: 183, challenge: 41, signals: { worker: 96, canvas: 6, fonts: 23 } });

const bodyFor = (site: Site, { challenge, token }: { challenge: string; token?: string | undefined }) => ({
  v: 1,
  environment_id: site.environmentId,
  challenge,
  token,
  surface: "sign-in",
  signals,
  timings: TIMINGS,
});

async function verdictOf(site: Site, rawBody: string) {
  const response = await submit(site, rawBody, { headers: HEADERS });
  expect(response.status).toBe(201);
  const { imprint } = (await response.json()) as { imprint: string };
  const { risk } = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  return { status: risk.status, reasons: risk.reasons };
}

type Body = Record<string, unknown>;
type Group = { state: string; value?: Record<string, unknown> };
const withGroup = (body: Body, name: string, change: (group: Group) => unknown): Body => {
  const groups = body["signals"] as Record<string, Group>;
  return { ...body, signals: { ...groups, [name]: change(groups[name] ?? { state: "absent" }) } };
};
const withValue = (name: string, change: Record<string, unknown>) => (body: Body) =>
  withGroup(body, name, ({ value }) => ({ state: "ok", value: { ...value, ...change } }));

const KEPT = ["navigator", "uaData", "page", "engine"];
const without = (body: Body, member: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));

const replays: [string, (body: Body, at: number) => Body, string][] = [
  ["sent again unchanged", (body) => body, "ENVIRONMENT_INCONSISTENT"],
  ["with another screen", (body, at) => withValue("screen", { width: 1280 + at })(body), "ENVIRONMENT_INCONSISTENT"],
  [
    "with another canvas",
    (body, at) => withValue("canvas", { hash: at.toString(16).padStart(16, "0") })(body),
    "ENVIRONMENT_INCONSISTENT",
  ],
  [
    "with other timings",
    (body, at) => ({ ...body, timings: { ...TIMINGS, total: 184 + at } }),
    "ENVIRONMENT_INCONSISTENT",
  ],
  ["without its proof", (body) => without(body, "proof"), "SIGNAL_DATA_INCOMPLETE"],
  [
    "with 4 of its groups",
    (body) => ({
      ...without(body, "proof"),
      signals: Object.fromEntries(Object.entries(signals).filter(([name]) => KEPT.includes(name))),
    }),
    "SIGNAL_DATA_INCOMPLETE",
  ],
];

test("the captured visit itself passes", async () => {
  const site = await createSite(db);
  expect(await verdictOf(site, composeExactly(bodyFor(site, await requestChallenge(site))))).toEqual({
    status: "PASS",
    reasons: [],
  });
});

test.each(replays)("a captured visit under a new challenge, %s, never passes", async (_how, change, reason) => {
  const site = await createSite(db);
  const recorded = JSON.parse(composeExactly(bodyFor(site, await requestChallenge(site)))) as Body;
  const verdicts = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const { challenge, token } = await requestChallenge(site);
      return verdictOf(site, JSON.stringify(change({ ...recorded, challenge, token }, at)));
    }),
  );
  for (const { status, reasons } of verdicts) {
    expect(status).toBe("SUSPICIOUS");
    expect(reasons).toContain(reason);
  }
});

test("answering the challenge for only 4 groups is found by the missing groups", async () => {
  const site = await createSite(db);
  const few = Object.fromEntries(Object.entries(signals).filter(([name]) => KEPT.includes(name)));
  const sent = { ...bodyFor(site, await requestChallenge(site)), signals: few, timings: timingsFor(few, TIMINGS) };
  const body = composeExactly(sent);
  expect(await verdictOf(site, body)).toEqual({ status: "SUSPICIOUS", reasons: ["SIGNAL_DATA_INCOMPLETE"] });
});

test("a captured visit without durations, answering its challenge, never passes", async () => {
  const site = await createSite(db);
  const bare = async () =>
    composeExactly({ ...bodyFor(site, await requestChallenge(site)), timings: { ...TIMINGS, signals: {} } });
  const expected = { status: "SUSPICIOUS", reasons: ["SIGNAL_DATA_INCOMPLETE"] };
  expect([await verdictOf(site, await bare()), await verdictOf(site, await bare())]).toEqual([expected, expected]);
});

import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";

import { visits } from "@/db/schema";
import { createTestDatabase } from "@/test/database";
import { Report } from "@/lib/contract/report";
import { Signals, type Timings } from "@/lib/contract/signals";
import firefoxVisit from "@/lib/visits/risk/captures/firefox.json";
import { particularSignals } from "@/test/devices";
import { createSite, readReport, requestChallenge, type Site, submissionBody, submit, visit } from "@/test/visits";
import chromium from "./captures/chromium.json";
import firefox from "./captures/firefox.json";
import resisting from "./captures/firefox-resist-fingerprinting.json";

const { db } = await createTestDatabase({ poolSize: 20 });

const REPLAYS = 200;
const [captured = { total: 0, challenge: 0, signals: {} }] = chromium as Timings[];

const SOFTWARE_GPU = "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)";

/** Homes in many networks, with addresses that belong to no known network. */
const homeOf = (index: number) => `${60 + (index % 30)}.${1 + (index % 250)}.${Math.floor(index / 250)}.7`;

async function statusOf(site: Site, imprint: string) {
  const report = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  return report.risk;
}

/** Number of visits that passed, read from the database because reading each Report would take too long. */
async function passed(site: Site, made: readonly { imprint: string }[]): Promise<number> {
  const ids = made.map(({ imprint }) => imprint);
  expect(await db.$count(visits, and(eq(visits.workspaceId, site.workspaceId), inArray(visits.eventId, ids)))).toBe(
    made.length,
  );
  return await db.$count(
    visits,
    and(eq(visits.workspaceId, site.workspaceId), inArray(visits.eventId, ids), eq(visits.status, "PASS")),
  );
}

const replays = (count: number) => Array.from({ length: count }, (_, index) => index);

const inOrder = async <T>(count: number, act: (index: number) => Promise<T>) => {
  const results: T[] = [];
  for (const index of replays(count)) results.push(await act(index));
  return results;
};

/** Signals with different values in the places that a replay alters first. */
function altered(index: number): Signals {
  // With software graphics only a token distinguishes such machines, so each visit is a new device.
  const signals = particularSignals({ width: 1200 + index, gpu: SOFTWARE_GPU });
  const hash = (index * 7919 + 1).toString(16).padStart(16, "0");
  const fonts = `111111111111${(index % 256).toString(2).padStart(8, "0")}`;
  return {
    ...signals,
    canvas: { state: "ok", value: { hash, isStable: true, solidFillErrors: 0 } },
    fonts: { state: "ok", value: fonts },
  };
}

/** Other durations, as long as the longest and no longer than the challenge of a test exists. */
const jittered = (index: number, { total, signals }: Timings): Timings => ({
  total: total + 251 + index,
  challenge: total + 251 + index - (index % 17),
  signals: Object.fromEntries(
    Object.entries(signals).map(([name, duration], at) => [name, duration + ((index * (7 * at + 3)) % 251)]),
  ),
});

test("a captured visit replayed from 200 homes by new devices never passes", async () => {
  const site = await createSite(db);
  const sent = { signals: particularSignals(), timings: captured };
  expect((await statusOf(site, (await visit(site, { ...sent, address: "8.8.8.8" })).imprint)).status).toBe("PASS");
  const send = (index: number) => visit(site, { ...sent, address: homeOf(index) });
  const rounds = await inOrder(REPLAYS / 10, (round) => Promise.all(replays(10).map((at) => send(10 * round + at))));
  const made = rounds.flat();
  expect(made).toHaveLength(REPLAYS);
  expect(await passed(site, made)).toBe(0);
  expect(await statusOf(site, made[0]?.imprint ?? "")).toMatchObject({
    status: "SUSPICIOUS",
    findings: [{ reason: "ENVIRONMENT_INCONSISTENT", status: "SUSPICIOUS" }],
  });
});

test("of 200 simultaneous copies of an unseen visit exactly one passes", async () => {
  const site = await createSite(db);
  const sent = { signals: particularSignals(), timings: captured };
  const made = await Promise.all(replays(REPLAYS).map((index) => visit(site, { ...sent, address: homeOf(index) })));
  expect(await passed(site, made)).toBe(1);
});

test("one token and one payload from 100 homes simultaneously pass at most once", async () => {
  const site = await createSite(db);
  const { token } = await requestChallenge(site);
  const sent = { token, signals: particularSignals(), timings: captured };
  const made = await Promise.all(replays(100).map((index) => visit(site, { ...sent, address: homeOf(index) })));
  expect(await passed(site, made)).toBeLessThanOrEqual(1);
});

test("one token with different visits from 100 homes simultaneously passes at most twice", async () => {
  const site = await createSite(db);
  const { token } = await visit(site, { address: homeOf(0) });
  const send = (index: number) =>
    visit(site, { token, signals: particularSignals(), timings: jittered(index, captured), address: homeOf(index) });
  const made = [await send(1), await send(2), await send(3), ...(await Promise.all(replays(97).map(send)))];
  expect(await passed(site, made)).toBeLessThanOrEqual(2);
});

test("a captured visit is found with a different screen, canvas and fonts each time, as long as its durations are the same", async () => {
  const site = await createSite(db);
  const made = await inOrder(40, (index) =>
    visit(site, { signals: altered(index), timings: captured, address: homeOf(index) }),
  );
  expect(await passed(site, made)).toBe(1);
});

test("of 200 with a different screen, canvas, fonts and durations each time, at most 20 pass", async () => {
  const site = await createSite(db);
  const send = (index: number) =>
    visit(site, { signals: altered(index), timings: jittered(index, captured), address: homeOf(index) });
  const made = [...(await inOrder(30, send)), ...(await Promise.all(replays(170).map((index) => send(index + 30))))];
  expect(await passed(site, made)).toBeLessThanOrEqual(20);
});

test("of 200 of a browser that adds noise to its canvas, with different fonts and durations each time, at most 20 pass", async () => {
  const site = await createSite(db);
  const [timings = captured] = firefox as Timings[];
  const send = (index: number) => {
    const { canvas: _noisy, ...signals } = Signals.parse(firefoxVisit.signals);
    const hash = (index * 7919 + 1).toString(16).padStart(16, "0");
    const fonts = (0b1_0000_0000_0000_1100_0000 + index * 37).toString(2);
    return visit(site, {
      signals: {
        ...signals,
        canvas: { state: "ok", value: { hash, isStable: true, solidFillErrors: 0 } },
        fonts: { state: "ok", value: fonts },
      },
      timings: jittered(index, timings),
      address: homeOf(index),
    });
  };
  expect(await passed(site, [await send(0)])).toBe(1);
  const made = [
    ...(await inOrder(30, (index) => send(index + 1))),
    ...(await Promise.all(replays(170).map((index) => send(index + 31)))),
  ];
  expect(await passed(site, made)).toBeLessThanOrEqual(20);
});

test("a crowd of such a browser whose machines have the fonts of one of eight programs passes", async () => {
  const site = await createSite(db);
  const [timings = captured] = firefox as Timings[];
  const made = await inOrder(40, (index) =>
    visit(site, {
      signals: {
        ...Signals.parse(firefoxVisit.signals),
        fonts: { state: "ok", value: (0b1_0000_0000_0000_1100_0000 + ((index * 5) % 8)).toString(2) },
      },
      timings: jittered(index, timings),
      address: homeOf(index),
    }),
  );
  expect(await passed(site, made)).toBe(40);
});

test.each([
  ["Chromium", chromium],
  ["Firefox", firefox],
  ["Firefox that hides time", resisting],
])(
  "20 real visits of %s on one machine are no repetition: not by one token, nor from 20 homes that show the same",
  async (_name, runs) => {
    const site = await createSite(db);
    const signals = particularSignals();
    const { token } = await requestChallenge(site);
    const made = await inOrder(runs.length, (index) => {
      const timings = runs[index] as Timings;
      return index % 2 === 0
        ? visit(site, { signals, timings, token, address: "8.8.8.8" })
        : visit(site, { signals, timings, address: homeOf(index) });
    });
    expect(await passed(site, made)).toBe(runs.length);
  },
);

/** A run of a slow machine. */
const SLOW = { uaData: 18, webgl: 21, worker: 147, canvas: 59, iframe: 98, fonts: 364 };

/** Each duration changed by an eighth at most, as by someone who only wants no two to be equal. */
function slightlyChanged(index: number): Timings {
  const change = (ms: number, at: number) => Math.round(ms * (0.88 + ((index * (at + 3) * 7919) % 241) / 1000));
  const challenge = change(480, 0);
  return {
    total: challenge + 9,
    challenge,
    signals: Object.fromEntries(Object.entries(SLOW).map(([name, ms], at) => [name, change(ms, at + 1)])),
  };
}

test("a captured visit replayed from 40 homes with each duration slightly changed passes at most 14 times", async () => {
  const site = await createSite(db);
  const made = await inOrder(40, (index) =>
    visit(site, { signals: particularSignals(), timings: slightlyChanged(index), address: homeOf(index) }),
  );
  expect(await passed(site, made)).toBeLessThanOrEqual(14);
  expect(await statusOf(site, made[39]?.imprint ?? "")).toMatchObject({
    status: "SUSPICIOUS",
    findings: [{ reason: "ENVIRONMENT_INCONSISTENT", status: "SUSPICIOUS" }],
  });
});

test("someone who loads a page 40 times in four networks passes, however alike the loads are", async () => {
  const site = await createSite(db);
  const made = await inOrder(40, (index) =>
    visit(site, { signals: particularSignals(), timings: slightlyChanged(index), address: homeOf(index % 4) }),
  );
  expect(await passed(site, made)).toBe(40);
});

test("a fleet of equal machines in 40 networks passes, and so does an honest one among changing pictures", async () => {
  const [fleet, attacked] = [await createSite(db), await createSite(db)];
  const honest = (site: Site, index: number) =>
    visit(site, {
      signals: particularSignals({ gpu: SOFTWARE_GPU }),
      timings: jittered(index, captured),
      address: homeOf(index),
    });
  expect(await passed(fleet, await inOrder(40, (index) => honest(fleet, index)))).toBe(40);
  const made: { imprint: string }[] = [];
  for (const index of replays(30)) {
    await visit(attacked, { signals: altered(index), timings: jittered(index, captured), address: homeOf(index) });
    if (index % 5 === 0) made.push(await honest(attacked, 200 + index));
  }
  expect(await passed(attacked, made)).toBe(made.length);
});

test("resubmitting the identical body after a lost answer is the same visit and no repetition", async () => {
  const site = await createSite(db);
  const { challenge, token } = await requestChallenge(site);
  const body = submissionBody(site, { challenge, token, signals: particularSignals(), timings: captured });
  const answers = [await submit(site, body), await submit(site, body), await submit(site, body)];
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(await passed(site, [JSON.parse(texts[0] ?? "") as { imprint: string }])).toBe(1);
});

test("a page suspended between its requests may resubmit the same signals with another challenge; from elsewhere they are found", async () => {
  const site = await createSite(db);
  const { token } = await requestChallenge(site);
  const signals = particularSignals();
  const send = (timings: Timings, address: string) => visit(site, { token, signals, timings, address });
  const first = await send(captured, "8.8.8.8");
  const later = { ...captured, total: captured.total + 140_000, challenge: captured.challenge + 140_000 };
  const again = await send(later, "8.8.8.8");
  const elsewhere = await send({ ...captured, total: captured.total + 30 }, "81.2.69.142");
  expect(await passed(site, [first, again])).toBe(2);
  expect((await statusOf(site, elsewhere.imprint)).status).toBe("SUSPICIOUS");
});

test("a captured visit of a fast machine is found though it claims to be another kind of machine, in another language", async () => {
  const site = await createSite(db);
  const signals = Object.fromEntries(Object.entries(captured.signals).map(([name, ms]) => [name, Math.ceil(ms / 4)]));
  const timings = { ...captured, signals };
  const ordinary = particularSignals();
  const other: Signals = { ...ordinary, locale: { state: "ok", value: { locale: "en-GB" } } };
  const made = [
    await visit(site, { signals: ordinary, timings, address: homeOf(1) }),
    await visit(site, { signals: other, timings, address: homeOf(2) }),
  ];
  expect(await passed(site, made)).toBe(1);
});

test("another workspace is not affected", async () => {
  const [one, other] = [await createSite(db), await createSite(db)];
  const sent = { signals: particularSignals(), timings: captured, address: "8.8.8.8" };
  expect(await passed(one, [await visit(one, sent)])).toBe(1);
  expect(await passed(other, [await visit(other, sent)])).toBe(1);
});

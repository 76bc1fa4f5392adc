import { randomBytes } from "node:crypto";

import { observeVisit, recogniseDevice } from "@/lib/visits/devices";
import { appendDeviceVisit, findMatchFacts } from "@/lib/visits/visit-store";
import { idToUuid, newImprint } from "@/lib/contract/ids";
import { identify } from "@/lib/visits/risk";
import type { Random } from "../../common/random";
import { quantile } from "../../common/report";
import { visitAt } from "./sample";
import type { Target } from "./seed-devices";

type Percentiles = { p50: number; p95: number; p99: number };
export type SizeResult = {
  devices: number;
  search: Percentiles;
  link: Percentiles;
  /** Mean number of tokens in a visit's network. */
  candidates: number;
  /** Share of visits linked to a known device. */
  linked: number;
  familyScanMs: number;
  /** Size of the identity tables and their indexes. */
  megabytes: number;
};

const WARM_UP = 300;
const SCANS = 5;
/** Two out of three visits come from known devices. */
const RETURNING = 2 / 3;

const percentiles = (values: readonly number[]): Percentiles => ({
  p50: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  p99: quantile(values, 0.99),
});

type Measured = Target & { random: Random };

async function oneVisit({ db, workspaceId, sample }: Measured, index: number) {
  const { visit, address } = visitAt(sample, index);
  const identity = identify(visit);
  const now = new Date();
  const startedAt = performance.now();
  const observed = observeVisit({ workspaceId, token: undefined, visit, identity, address, nonce: "" });
  const { recognition } = recogniseDevice(observed, now, await findMatchFacts(db, observed.query.values));
  const searchedAt = performance.now();
  await db.transaction((tx) =>
    appendDeviceVisit(tx, {
      workspaceId,
      challenge: {
        nonce: randomBytes(16).toString("hex"),
        bodyHash: randomBytes(32),
        eventId: newImprint(now.getTime()),
      },
      recognition,
      browserFamily: identity.browser.family,
      osFamily: identity.operatingSystem.family,
    }),
  );
  const isLinked = recognition.linkedDeviceId !== undefined;
  return { search: searchedAt - startedAt, link: performance.now() - searchedAt, isLinked };
}

/** Cost of a matcher that reads every device with the visit's system and browser, as FP-Stalker and similar ones do. */
async function scanFamily({ admin, workspaceId, sample, random }: Measured, size: number): Promise<number> {
  const times: number[] = [];
  for (let scan = 0; scan < SCANS; scan += 1) {
    const { browser, operatingSystem } = identify(visitAt(sample, random.below(size)).visit);
    const startedAt = performance.now();
    await admin.unsafe(
      `select count(*) from devices d join device_profiles p using (workspace_id, device_id)
       where d.workspace_id = $1 and d.browser_family = $2 and d.os_family = $3 and p.profile -> 'latest' ->> 'gpu' <> ''`,
      [idToUuid(workspaceId), browser.family, operatingSystem.family],
    );
    times.push(performance.now() - startedAt);
  }
  return percentiles(times).p50;
}

export async function measureSize(target: Measured, size: number, visits: number): Promise<SizeResult> {
  const { random, say, admin, workspaceId } = target;
  const draw = () => (random.chance(RETURNING) ? random.below(size) : size + random.below(10_000_000));
  for (let visit = 0; visit < WARM_UP; visit += 1) await oneVisit(target, draw());
  const results: Awaited<ReturnType<typeof oneVisit>>[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    if (visit % 500 === 0) say(`${size} devices: visit ${visit} of ${visits}`);
    results.push(await oneVisit(target, draw()));
  }
  const [row] = await admin.unsafe<{ bytes: string; candidates: number }[]>(
    `select (select sum(pg_total_relation_size(t)) from unnest(array['devices', 'device_profiles', 'network_tokens']::regclass[]) t)::text as bytes,
      (select (sum(n * n) / sum(n))::float8 from (
         select count(*) as n from network_tokens where workspace_id = $1 group by network) counted) as candidates`,
    [idToUuid(workspaceId)],
  );
  return {
    devices: size,
    search: percentiles(results.map(({ search }) => search)),
    link: percentiles(results.map(({ link }) => link)),
    candidates: row?.candidates ?? 0,
    linked: results.filter(({ isLinked }) => isLinked).length / results.length,
    familyScanMs: await scanFamily(target, size),
    megabytes: Math.round(Number(row?.bytes ?? 0) / 1e6),
  };
}

import { randomUUID } from "node:crypto";
import { resolve } from "node:path";

import { connect } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { DATABASE, readConnection, urlOf } from "@/db/embedded-connection";
import { loadSecrets } from "@/db/secrets";
import { identifyAccount, linkAccount } from "@/lib/visits/account-map";
import { createKey } from "@/lib/tenancy/api-keys";
import { env } from "@/lib/platform/env";
import { publishSecrets } from "@/lib/platform/secrets";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { createWorkspace, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { type Random, seededRandom } from "../../common/random";
import { drawSample } from "../match/sample";
import { seedDevices } from "../match/seed-devices";
import { fillEvents, makeFreshVisits, type Template } from "./fill-events";
import { type MakeSubmission, type Place, sendSubmission, submissionMaker } from "../submissions/submissions";
import { challengeRequest, postTo, reportRequest, submissionRequest } from "./requests";
import { connectTo } from "../../common/connection";

const PLAN = "enterprise";
const ORIGIN = "https://bench.example";
const KEYS = 250;
/** Each key is used at half its limit, so that none reaches it if the machine gets faster meanwhile. */
const RATE_OF_KEY = PLAN_LIMITS[PLAN].requestsPerSecond / 2;
const READ = 2_000;
const LINKED = 500;
/** Known devices that visits without a token are compared with. */
const MAX_KNOWN_DEVICES = 50_000;

type Options = { dataDir: string; seed: number; say: (text: string) => void };

async function openStore(dataDir: string) {
  const { AUTH_SECRET, KEY_PEPPER, KEKS } = loadSecrets(dataDir, {});
  publishSecrets({ authSecret: AUTH_SECRET, keyPepper: KEY_PEPPER, keks: KEKS });
  const server = await openEmbedded({ dataDir, binDir: env.PG_BIN_DIR });
  const connection = connect({ url: server.url, poolSize: 2, prepare: true, applicationName: "imprint-bench" });
  const saved = readConnection(dataDir);
  if (!saved) throw new Error(`${dataDir} has no conn.json`);
  // As superuser, because running a checkpoint before the measurement requires it.
  const fill = connectTo(urlOf(saved, DATABASE));
  return { server, connection, fill };
}

async function makeWorkspace({ db }: { db: ReturnType<typeof connect>["db"] }) {
  const context = { db, now: new Date(), actor: { kind: "operator" } as const };
  const { workspaceId } = await createWorkspace(context, { name: "Benchmark", plan: PLAN });
  const { environmentId } = await createWebApp(context, { workspaceId, name: "Benchmark", origins: [ORIGIN] });
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index += 1)
    keys.push((await createKey(context, { workspaceId, name: `Load ${index}` })).apiKey);
  return { workspaceId, environmentId, origin: ORIGIN, keys };
}

/** Makes a visit through the API whose stored row is copied. */
async function makeTemplate(address: string, place: Place, makeSubmission: MakeSubmission) {
  const response = await sendSubmission(address, makeSubmission());
  if (response.status !== 201) throw new Error(`The service answered ${response.status}: ${await response.text()}`);
  const { imprint } = (await response.json()) as { imprint: string };
  return { workspaceId: place.workspaceId, imprint };
}

type Store = Awaited<ReturnType<typeof openStore>>;
type Reports = { delivered: string[]; linked: { imprint: string; account: string }[] };

/** Chooses delivered Reports, some of them with an account. */
async function chooseReports({ connection: { db }, fill }: Store, workspaceId: string): Promise<Reports> {
  const rows = await fill.unsafe<{ imprint: string }[]>(`
    select 'imp_' || replace(event_id::text, '-', '') as imprint from report_deliveries
    where key_id is null order by md5(event_id::text) limit ${READ}`);
  const delivered = rows.map(({ imprint }) => imprint);
  const linked: Reports["linked"] = [];
  for (const [index, imprint] of delivered.slice(0, LINKED).entries()) {
    const account = `user-${index % 100}`;
    await linkAccount(db, await identifyAccount(db, workspaceId, account), imprint);
    linked.push({ imprint, account });
  }
  return { delivered, linked };
}

type Made = {
  place: Awaited<ReturnType<typeof makeWorkspace>>;
  makeSubmission: MakeSubmission;
  random: Random;
};
type State = { template: Template; events: number; devices: number; reports: Reports };

/** Requests of each kind, in wire format. */
function requestsOf({ fill }: Store, state: State, { place, makeSubmission, random }: Made) {
  const keyFor = (index: number, rate: number) =>
    place.keys[index % Math.min(KEYS, Math.ceil(rate / RATE_OF_KEY))] ?? "";
  return {
    select: () => state.reports.delivered.map((imprint) => `GET /report/${imprint} HTTP/1.1\r\nHost: bench\r\n\r\n`),
    insert: (count: number) => Array.from({ length: count }, () => postTo("/insert", {}, makeSubmission().body)),
    reread: (_count: number, rate: number) =>
      state.reports.delivered.map((imprint, index) => reportRequest(imprint, keyFor(index, rate))),
    delivery: async (count: number, rate: number) => {
      const imprints = await makeFreshVisits(fill, state.template, count, randomUUID());
      return imprints.map((imprint, index) => reportRequest(imprint, keyFor(index, rate)));
    },
    accountMap: (count: number, rate: number) =>
      Array.from({ length: Math.max(count, LINKED) }, (_, index) => {
        const { imprint, account } = state.reports.linked[index % LINKED] ?? { imprint: "", account: "" };
        return reportRequest(imprint, keyFor(index, rate), account);
      }),
    challenge: (count: number) => Array.from({ length: count }, () => challengeRequest(place, random)),
    submission: (count: number) => Array.from({ length: count }, () => submissionRequest(makeSubmission())),
  };
}

/**
 * Prepares the bench's data for the service with the given data directory. The database stays up while this is open,
 * even when the service is restarted.
 */
export async function openPreparation({ dataDir, seed, say }: Options) {
  const store = await openStore(resolve(dataDir));
  const { server, connection, fill } = store;
  say("Drawing devices");
  const random = seededRandom(seed);
  const sample = drawSample(random);
  const place = await makeWorkspace(connection);
  const { workspaceId } = place;
  await fill.unsafe("create table bench_inserts (id uuid primary key default gen_random_uuid(), body text not null)");
  const makeSubmission = submissionMaker(place, sample, random);
  const state: State = {
    template: { workspaceId, imprint: "" },
    events: 0,
    devices: 0,
    reports: { delivered: [], linked: [] },
  };
  return {
    databaseUrl: server.url,
    workspaceId,
    requests: requestsOf(store, state, { place, makeSubmission, random }),
    /** An imprint that both peers can find. */
    sample: () => state.reports.delivered[0] ?? "",
    /** Fills the workspace up to `events` events. */
    async grow(address: string, events: number) {
      if (state.events === 0) state.template = await makeTemplate(address, place, makeSubmission);
      await fillEvents({ db: connection.db, fill, template: state.template, say }, { from: state.events, to: events });
      const devices = Math.min(Math.ceil(events / 100), MAX_KNOWN_DEVICES);
      await seedDevices({ ...connection, admin: fill, workspaceId, sample, say }, state.devices, devices);
      Object.assign(state, { events, devices, reports: await chooseReports(store, workspaceId) });
    },
    /** Number of transactions finished so far; idle connections report theirs within 10 s. */
    countTransactions: async (): Promise<number> => {
      const [row] = await fill.unsafe<{ ended: string }[]>(
        "select xact_commit + xact_rollback as ended from pg_stat_database where datname = current_database()",
      );
      return Number(row?.ended);
    },
    async close() {
      await fill.end({ timeout: 5 });
      await connection.close();
      await server.close();
    },
  };
}

import { idToUuid, newId, uuidToId } from "@/lib/contract/ids";
import { linkAccount, readAccountMap } from "@/lib/visits/account-map";
import type { Account } from "@/lib/visits/visit-store";
import { runLinkSeed } from "@/test/account-map";
import { type BenchDatabase, measureEach, openBenchDatabase, type Times } from "../database/open";
import { eventIdAt } from "../database/event-id";

const CLIENTS = 50;
const WORKSPACES = 20;
const DAYS = 90;

type Options = { seed: number; seeds: number; links: number; samples: number; progress: (text: string) => void };
type Correctness = {
  seeds: number;
  calls: number;
  aborted: number;
  checked: number;
  compared: number;
  violations: string[];
};

async function checkSeeds(database: BenchDatabase, { seed, seeds, progress }: Options): Promise<Correctness> {
  const total: Correctness = { seeds, calls: 0, aborted: 0, checked: 0, compared: 0, violations: [] };
  for (let index = 0; index < seeds; index += 1) {
    const { violations, ...tally } = await runLinkSeed(database.db, seed + index, CLIENTS);
    for (const name of ["calls", "aborted", "checked", "compared"] as const) total[name] += tally[name];
    total.violations.push(...violations.map((text) => `seed ${seed + index}: ${text}`));
    progress(`Seed ${index + 1} of ${seeds}: ${total.calls} links, ${total.violations.length} violations`);
  }
  return total;
}

const uuidOf = (kind: string, number: string) => `md5('${kind} ' || ${number})::uuid`;
const hashOf = (number: string) => `decode(md5('account ' || ${number}), 'hex')`;

/**
 * Links in 20 workspaces over 90 days. The first workspace has half of them, devices and accounts are skewed, 5 % are
 * on one hot device (mostly with a different account each), and 2 % on one hot account with a different device each.
 */
async function fillLinks({ fill }: BenchDatabase, { seed, links }: Options): Promise<void> {
  await fill.unsafe(`select setseed(${(seed % 1000) / 1000})`);
  await fill.unsafe(`
    create table drawn as
    select ${uuidOf("workspace", "w")} as workspace_id, ${uuidOf("device", "w || ' ' || d")} as device_id,
      ${hashOf("w || ' ' || a")} as account_hash, at as recorded_at,
      ${eventIdAt("at", "random()::text")} as event_id
    from (
      select case when kind < 0.57 then 0 else 1 + floor(random() * ${WORKSPACES - 1})::int end as w,
        case when kind < 0.05 then 0 else 1 + floor(power(random(), 2) * ${links} * 0.4)::int end as d,
        case when kind between 0.05 and 0.07 then 0
          when kind < 0.05 then 1 + floor(random() * ${links} * 0.05)::int
          else 1 + floor(power(random(), 2) * ${links} * 0.3)::int end as a,
        now() - random() * interval '${DAYS} days' as at
      from (select random() as kind from generate_series(1, ${links})) k
    ) picked`);
  await fill.unsafe(`insert into account_links (workspace_id, event_id, device_id, account_hash, recorded_at)
    select workspace_id, event_id, device_id, account_hash, recorded_at from drawn on conflict do nothing`);
  await fill.unsafe(`insert into device_accounts (workspace_id, device_id, account_hash, first_recorded_at, first_event_id)
    select distinct on (workspace_id, device_id, account_hash) workspace_id, device_id, account_hash, recorded_at, event_id
    from drawn order by workspace_id, device_id, account_hash, recorded_at, event_id`);
  await fill.unsafe("analyze");
}

type Sample = { account: Account; imprint: string };
type Row = { workspace_id: string; device_id: string; account_hash: Buffer };

/** Creates current visits, with devices and accounts chosen by `where`, ready to be linked. */
async function makeSamples({ fill }: BenchDatabase, where: string, count: number): Promise<Sample[]> {
  const rows = await fill.unsafe<Row[]>(
    `select workspace_id, device_id, account_hash from drawn where ${where} order by random() limit ${count}`,
  );
  const samples: Sample[] = [];
  for (const row of rows) {
    const imprint = uuidToId("imprint", `${Date.now().toString(16).padStart(12, "0")}7${newId("request").slice(-19)}`);
    await fill`insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, status, reasons, rules_version, evidence, report)
      values (${row.workspace_id}, ${idToUuid(imprint)}, ${row.device_id}, ${row.device_id}, clock_timestamp(), 1, 'default', 'https://shop.example', 'PASS', '{}', '1', '{}', '{}')`;
    const account = { workspaceId: uuidToId("workspace", row.workspace_id), hash: row.account_hash };
    samples.push({ account, imprint });
  }
  return samples;
}

const HOT_DEVICE = `device_id = ${uuidOf("device", "'0 0'")}`;
const HOT_ACCOUNT = `account_hash = ${hashOf("'0 0'")}`;
const CASES = [
  {
    name: "typical",
    title: "typical link and statistics",
    where: `not (${HOT_DEVICE}) and not (${HOT_ACCOUNT})`,
    share: 1,
  },
  { name: "hotDevice", title: "hot device", where: HOT_DEVICE, share: 0.25 },
  { name: "hotAccount", title: "hot account", where: HOT_ACCOUNT, share: 0.25 },
] as const;

type Measured = { name: string; title: string; related: number } & Times;

async function measureCases(database: BenchDatabase, { samples, progress }: Options): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, title, where, share } of CASES) {
    progress(`Measuring: ${title}`);
    const inputs = await makeSamples(database, where, Math.ceil(samples * share));
    const [row] = await database.fill.unsafe<{ related: number }[]>(
      name === "typical"
        ? "select 0 as related"
        : `select count(*)::int as related from device_accounts where ${where}`,
    );
    const times = await measureEach(inputs, async ({ account, imprint }) => {
      await linkAccount(database.db, account, imprint);
      await readAccountMap(database.db, account, imprint);
    });
    measured.push({ name, title, related: row?.related ?? 0, ...times });
  }
  return measured;
}

/** Checks the statistics against their definition, then measures them on a million links. */
export async function runBench(options: Options) {
  const database = await openBenchDatabase({ poolSize: CLIENTS, daysBack: DAYS + 1 });
  try {
    const correctness = await checkSeeds(database, options);
    options.progress(`Making ${options.links} links`);
    await fillLinks(database, options);
    return { correctness, links: options.links, cases: await measureCases(database, options) };
  } finally {
    await database.stop();
  }
}

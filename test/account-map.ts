import { sql } from "drizzle-orm";

import type { Database } from "@/db/client";
import type { AccountMap } from "@/lib/contract/report";
import { idToUuid, newId, uuidToId } from "@/lib/contract/ids";
import { createChance } from "@/lib/operations/demo/domain/chance";
import { linkAccount, readAccountMap } from "@/lib/visits/account-map/index";
import { type Account, selectStatistics } from "@/lib/visits/visit-store";

/** A visit that will be linked to an account. `order` is its position among all visits. */
export type LinkEvent = { imprint: string; device: number; account: number; atSecond: number; order: number };

/** The first event of each account on each device. */
export type Firsts = ReadonlyMap<string, LinkEvent>;

function note(firsts: Map<string, LinkEvent>, event: LinkEvent): void {
  const pair = `${event.account} ${event.device}`;
  const first = firsts.get(pair);
  if (!first || event.order < first.order) firsts.set(pair, event);
}

export function firstsOf(events: Iterable<LinkEvent>): Map<string, LinkEvent> {
  const firsts = new Map<string, LinkEvent>();
  for (const event of events) note(firsts, event);
  return firsts;
}

/** Statistics of a linked event by definition, without summary tables or SQL. */
export function bruteForce(linked: Firsts, own: LinkEvent): AccountMap {
  const firsts = new Map(linked);
  note(firsts, own);
  const found = { earlier: false, together: false, accounts: 0, recent: 0, devices: 0 };
  for (const { account, device, order, atSecond } of firsts.values()) {
    if (order > own.order) continue;
    const [isAccount, isDevice, isEarlier] = [account === own.account, device === own.device, order < own.order];
    if (isAccount) found.devices += 1;
    if (isDevice) found.accounts += 1;
    if (isDevice && atSecond > own.atSecond - 3600) found.recent += 1;
    if (isAccount && isEarlier) found.earlier = true;
    if (isAccount && isDevice && isEarlier) found.together = true;
  }
  return {
    account_seen_before: found.earlier,
    relationship_seen_before: found.together,
    accounts_on_device: found.accounts,
    devices_on_account: found.devices,
    accounts_first_seen_on_device_1h: found.recent,
  };
}

type Shape = { events: number; devices: number; accounts: number; repeats: number };

/** Visits at whole seconds within six hours, so that many have equal times and are ordered only by id. */
function drawEvents(random: () => number, { events, devices, accounts }: Shape): LinkEvent[] {
  const pick = (count: number) => Math.floor(random() * count);
  const drawn = Array.from({ length: events }, () => ({
    // Any id of the current month: it only orders positions with equal times.
    imprint: uuidToId("imprint", randomUuidV7(random)),
    device: pick(devices),
    account: pick(accounts),
    atSecond: pick(6 * 3600),
    order: 0,
  }));
  const byPosition = (a: LinkEvent, b: LinkEvent) => a.atSecond - b.atSecond || (a.imprint < b.imprint ? -1 : 1);
  return drawn.sort(byPosition).map((event, order) => ({ ...event, order }));
}

function randomUuidV7(random: () => number): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
  const time = Math.floor(Date.now() - 1000 * random())
    .toString(16)
    .padStart(12, "0");
  return `${time}7${hex(3)}8${hex(15)}`;
}

async function insertEvents(db: Database, workspaceId: string, events: readonly LinkEvent[], devices: string[]) {
  const rows = events.map(({ imprint, device, atSecond }) => ({
    event_id: idToUuid(imprint),
    device_id: idToUuid(devices[device] ?? ""),
    second: atSecond,
  }));
  await db.execute(sql`
    insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, status,
      reasons, rules_version, evidence, report)
    select ${idToUuid(workspaceId)}::uuid, r.event_id, r.device_id, r.device_id,
      date_trunc('second', now()) - interval '7 hours' + make_interval(secs => r.second), 1, 'default', 'https://shop.example',
      'PASS', '{}', '1', '{}', '{}'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(event_id uuid, device_id uuid, second int)`);
}

const ABORTED = new Error("aborted on purpose");
const ABORT_SHARE = 0.05;
const CHECKED_EVERY = 7;
const NUMBERS = [
  "account_seen_before",
  "relationship_seen_before",
  "accounts_on_device",
  "devices_on_account",
] as const satisfies readonly (keyof AccountMap)[];

type Tally = { calls: number; aborted: number; checked: number; compared: number; violations: string[] };

/** Checks that an answer lies between what was linked before the request and what was started before the response. */
function findViolations(answer: AccountMap, least: AccountMap, most: AccountMap, own: LinkEvent): string[] {
  const wrong = NUMBERS.filter(
    (name) => Number(answer[name]) < Number(least[name]) || Number(answer[name]) > Number(most[name]),
  ).map((name) => `${name} of event ${own.order} is ${answer[name]}, not from ${least[name]} to ${most[name]}`);
  if (answer.relationship_seen_before && !answer.account_seen_before) wrong.push("a relationship without its account");
  if (answer.accounts_first_seen_on_device_1h > answer.accounts_on_device)
    wrong.push("more accounts in 1 h than in total");
  return wrong;
}

/**
 * Compares every event's final statistics, from one statement, with the definition and with a sample of single reads.
 */
async function compareAtRest(db: Database, workspaceId: string, events: readonly LinkEvent[], tally: Tally) {
  const rows = await db.execute<AccountMap & { imprint: string }>(sql`
    select replace(l.event_id::text, '-', '') as imprint, s.* from account_links l cross join lateral (${selectStatistics(
      {
        workspace: sql`l.workspace_id`,
        device: sql`l.device_id`,
        hash: sql`l.account_hash`,
        recordedAt: sql`l.recorded_at`,
        event: sql`l.event_id`,
      },
    )}) s where l.workspace_id = ${idToUuid(workspaceId)}::uuid`);
  const stored = new Map(rows.map(({ imprint, ...numbers }) => [`imp_${imprint}`, numbers]));
  const firsts = firstsOf(events);
  if (stored.size !== events.length) tally.violations.push(`${stored.size} links of ${events.length} events`);
  for (const event of events) {
    tally.compared += 1;
    const [is, should] = [stored.get(event.imprint), bruteForce(firsts, event)];
    for (const [name, value] of Object.entries(should)) {
      if (is?.[name as keyof AccountMap] !== value)
        tally.violations.push(
          `at rest ${name} of event ${event.order} is ${is?.[name as keyof AccountMap]}, not ${value}`,
        );
    }
  }
}

/**
 * Runs one seed: shuffled, repeated, delayed and aborted links from as many clients as the pool has connections. During
 * the run some answers are checked against bounds; afterwards every event is compared.
 */
export async function runLinkSeed(
  db: Database,
  seed: number,
  clients: number,
  shape: Shape = { events: 2000, devices: 40, accounts: 60, repeats: 3 },
): Promise<Tally> {
  const random = createChance(seed).next;
  const workspaceId = newId("workspace");
  const events = drawEvents(random, shape);
  const devices = Array.from({ length: shape.devices }, () => newId("device"));
  const accounts: Account[] = Array.from({ length: shape.accounts }, () => ({
    workspaceId,
    hash: crypto.getRandomValues(new Uint8Array(16)),
  }));
  await insertEvents(db, workspaceId, events, devices);
  const work = events
    .flatMap((event) => Array.from({ length: 1 + Math.floor(random() * shape.repeats) }, () => event))
    .map((event) => ({ event, key: random(), isAborted: random() < ABORT_SHARE }))
    .sort((a, b) => a.key - b.key);
  const tally: Tally = { calls: 0, aborted: 0, checked: 0, compared: 0, violations: [] };
  const [started, done] = [firstsOf([]), firstsOf([])];

  async function run({ event, isAborted }: (typeof work)[number]): Promise<void> {
    const account = accounts[event.account];
    if (!account) return;
    tally.calls += 1;
    const isChecked = tally.calls % CHECKED_EVERY === 0;
    const least = isChecked ? bruteForce(done, event) : undefined;
    note(started, event);
    if (isAborted) {
      tally.aborted += 1;
      const undone = db.transaction(async (tx) => {
        await linkAccount(tx, account, event.imprint);
        throw ABORTED;
      });
      await undone.catch((error: unknown) => {
        if (error !== ABORTED) throw error;
      });
    }
    await linkAccount(db, account, event.imprint);
    note(done, event);
    if (!least) return;
    const answer = await readAccountMap(db, account, event.imprint);
    tally.checked += 1;
    if (!answer) {
      tally.violations.push(`event ${event.order} has no link`);
      return;
    }
    tally.violations.push(...findViolations(answer, least, bruteForce(started, event), event));
  }

  const waiting = [...work];
  const client = async () => {
    for (let item = waiting.pop(); item; item = waiting.pop()) await run(item);
  };
  await Promise.all(Array.from({ length: clients }, client));
  await compareAtRest(db, workspaceId, events, tally);
  return tally;
}

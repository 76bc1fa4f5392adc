import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

import { sql } from "drizzle-orm";

import type { Database } from "@/db/client";
import { idToUuid, newId } from "@/lib/contract/ids";
import { announce } from "@/lib/tenancy/webhooks";
import { insertTestEndpoint, startTarget } from "@/test/webhooks";
import { createTestWorkspace } from "@/test/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import { bundleProgram } from "./bundle";

/** Number of event streams, and of concurrent senders. */
const [STREAMS, SENDERS] = [7, 2];
/** Longer than a lease: what a killed process had leased is due again for the next ones. */
const LEASE_SECONDS = 60;
const DEADLINE_MS = 120_000;
/** Speed of the last process's clock, so that nothing waits for a retry. */
const SPEED = 60;

type Options = { kills: number; onProgress?: (text: string) => void };

/**
 * Creates a workspace with one endpoint that is notified of events of several streams; some of its answers are lost.
 */
async function prepare(db: Database) {
  const workspaceId = await createTestWorkspace(db);
  let arrivals = 0;
  const target = await startTarget((response) => {
    arrivals += 1;
    if (arrivals % 5 === 0) response.destroy();
    else response.writeHead(204).end();
  });
  await insertTestEndpoint(db, workspaceId, target.url, ["key.created"]);
  const streams = Array.from({ length: STREAMS }, () => newId("apiKey"));
  const told: string[] = [];
  return {
    target,
    told,
    async tell() {
      const name = `event ${told.length}`;
      const streamId = streams[told.length % STREAMS] ?? "";
      const data = { workspace_id: workspaceId, key_id: streamId, name, expires_at: null };
      await announce(db, { type: "key.created", streamId, data }, { workspaceId });
      told.push(name);
    },
    async countWaiting() {
      const [row] = await db.execute<{ count: number }>(sql`
        select count(*)::int as count from webhook_deliveries
        where workspace_id = ${idToUuid(workspaceId)}::uuid and state = 'pending'`);
      return row?.count ?? 0;
    },
  };
}

/** Compares the first arrival of each message with the events. */
function violationsOf(told: readonly string[], first: readonly string[]): string[] {
  const outOfOrder = Array.from({ length: STREAMS }, (_, stream) => {
    const numbers = first.map((name) => Number(name.slice(6))).filter((number) => number % STREAMS === stream);
    const isInOrder = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
    return isInOrder ? [] : [`stream ${stream} arrived out of order: ${numbers.join(", ")}`];
  });
  return [
    ...told.filter((name) => !first.includes(name)).map((name) => `${name} was lost`),
    ...first.filter((name) => !told.includes(name)).map((name) => `${name} has no event`),
    ...outOfOrder.flat(),
  ];
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/**
 * Repeatedly kills webhook senders while events happen, and compares events with received messages. The clock is
 * advanced between one process and the next, so that nothing waits for a lease or a retry.
 *
 * @returns the events, the messages received and how often, and the violated guarantees
 */
export async function runWebhookKills(db: Database, databaseUrl: string, { kills, onProgress }: Options) {
  const program = await bundleProgram("sending", ["oidc-provider", "nodemailer"]);
  const setup = await prepare(db);
  const { target, told } = setup;
  let shiftSeconds = 0;
  const start = (speed = 1) =>
    spawn(process.execPath, [program, JSON.stringify({ databaseUrl, secrets: TEST_SECRETS, shiftSeconds, speed })], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  const untilMoreArrives = async () => {
    const [before, deadline] = [target.received.length, Date.now() + DEADLINE_MS];
    while (target.received.length === before && Date.now() < deadline) await wait(2);
  };

  let killed = 0;
  for (; killed < kills; killed += SENDERS) {
    const senders = Array.from({ length: SENDERS }, () => start());
    for (let index = 0; index < STREAMS; index += 1) await setup.tell();
    // Killed as soon as something has arrived, so often between sending and recording.
    await untilMoreArrives();
    await Promise.all(senders.map(kill));
    shiftSeconds += LEASE_SECONDS;
    onProgress?.(`${killed + SENDERS} of ${kills} kills, ${target.received.length} messages received`);
  }
  const last = start(SPEED);
  const deadline = Date.now() + DEADLINE_MS;
  while ((await setup.countWaiting()) > 0 && Date.now() < deadline) await wait(20);
  await kill(last);
  target.close();
  const names = target.received.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name);
  const first = [...new Set(names)];
  const counts = { kills: killed, told: told.length, arrived: names.length, repeated: names.length - first.length };
  return { ...counts, violations: violationsOf(told, first) };
}

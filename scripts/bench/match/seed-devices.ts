import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { Sql } from "postgres";

import type { Connection } from "@/db/client";
import { countPopulations } from "@/lib/visits/devices";
import { dayOf, profileAfter } from "@/lib/visits/devices/domain/profile";
import { hardwareText } from "@/lib/visits/devices/domain/traits";
import { placeKeys } from "@/lib/visits/devices/keys";
import { idToUuid } from "@/lib/contract/ids";
import { deviceAt, type Sample } from "./sample";

/** `admin` has no deadlines: filling and reading everything takes longer than any statement of the service may. */
export type Target = Connection & { admin: Sql; workspaceId: string; sample: Sample; say: (text: string) => void };

const BATCH = 20_000;
const SPREAD_DAYS = 60;
/** Days between the first and the last visit of a seeded device. */
const KNOWN_DAYS = 30;

/** The id of device `index`, the same in every run. */
const deviceUuid = (index: number): string => {
  const hex = createHash("sha256").update(`device ${index}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
};

const escaped = (json: string) => json.replaceAll("\\", "\\\\");

function* rowsOf({ workspaceId, sample }: Target, from: number, to: number, at: Date) {
  const workspace = idToUuid(workspaceId);
  for (let index = from; index < to; index += 1) {
    const { base, language, timeZone, address } = deviceAt(sample, index);
    const traits = { ...base.traits, languages: language, timeZone };
    const { network, model } = placeKeys(workspaceId, address, hardwareText(traits));
    const [since, last] = [(index % SPREAD_DAYS) + KNOWN_DAYS, index % SPREAD_DAYS].map((days) =>
      new Date(at.getTime() - days * 86_400_000).toISOString().slice(0, 10),
    );
    const seen = new Date(at.getTime() - (index % SPREAD_DAYS) * 86_400_000);
    const id = deviceUuid(index);
    yield {
      device: `${workspace}\t${id}\t${seen.toISOString()}\t${seen.toISOString()}\t\\N\t1\t${traits.browser}\t${traits.system}\n`,
      profile: `${workspace}\t${id}\t${escaped(JSON.stringify({ ...profileAfter(undefined, traits, seen), day: dayOf(seen) }))}\n`,
      token: `${workspace}\t${network}\t${id}\t${id}\t${model}\t${since}\t${last}\t5\t\\N\n`,
    };
  }
}

const TABLES = { device: "devices", profile: "device_profiles", token: "network_tokens" } as const;

/** Fills the workspace up to `to` devices, as years of visits would, and updates the planner statistics. */
export async function seedDevices(target: Target, from: number, to: number): Promise<void> {
  const { admin, db, say } = target;
  const at = new Date();
  for (let start = from; start < to; start += BATCH) {
    say(`seeding ${start} of ${to}`);
    const rows = [...rowsOf(target, start, Math.min(to, start + BATCH), at)];
    for (const [name, table] of Object.entries(TABLES)) {
      const stream = await admin.unsafe(`copy ${table} from stdin`).writable();
      await pipeline(Readable.from(rows.map((row) => row[name as keyof typeof TABLES])), stream);
    }
  }
  say("analysing");
  for (const table of Object.values(TABLES)) await admin.unsafe(`vacuum analyze ${table}`);
  // Flush now, so that the dirty pages are not written during the measurement.
  await admin.unsafe("checkpoint");
  await db.execute("delete from device_populations");
  await countPopulations(db, new AbortController().signal);
}

import { sql } from "drizzle-orm";

import type { Database } from "@/db/client";
import { devices } from "@/db/schema";
import type { Signals } from "@/lib/contract/signals";
import { idToUuid, newId } from "@/lib/contract/ids";
import { ordinarySignals } from "@/test/visits";

/**
 * Signals of an ordinary desktop browser with a given version, without a graphics card, so that only a token identifies
 * it.
 */
export const signalsOfVersion = (version = 142): Signals =>
  JSON.parse(
    JSON.stringify(ordinarySignals())
      .replaceAll("Chrome/142.", `Chrome/${version}.`)
      .replaceAll('"version":"142', `"version":"${version}`),
  ) as Signals; // signals with other digits in the text

/** Signals of a desktop with a rare combination of graphics card, screen and location. */
export function particularSignals(
  options: { gpu?: string; width?: number; timeZone?: string; version?: number } = {},
): Signals {
  const {
    gpu = "ANGLE (NVIDIA, NVIDIA Quadro RTX 5000 with Max-Q Design (0x00001EB5) Direct3D11 vs_5_0 ps_5_0, D3D11)",
  } = options;
  const { width = 3000, timeZone = "Europe/Copenhagen" } = options;
  return {
    ...signalsOfVersion(options.version),
    webgl: { state: "ok", value: { vendor: "Google Inc. (NVIDIA)", renderer: gpu, limits: [16384] } },
    screen: {
      state: "ok",
      value: {
        width,
        height: 2000,
        availWidth: width,
        availHeight: 1952,
        colorDepth: 24,
        devicePixelRatio: 1.75,
        media: "0",
      },
    },
    timezone: { state: "ok", value: { timeZone, january: -60, july: -120, now: -60 } },
    canvas: { state: "ok", value: { hash: "00c0ffee00c0ffee", isStable: true, solidFillErrors: 0 } },
  };
}

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";

/** Signals of a mass-market phone. */
export function iphoneSignals(): Signals {
  const ordinary = particularSignals({ gpu: "Apple GPU", width: 393 });
  const page = ordinary.navigator?.state === "ok" ? ordinary.navigator.value : {};
  return {
    ...ordinary,
    navigator: {
      state: "ok",
      value: { ...page, userAgent: IPHONE, platform: "iPhone", vendor: "Apple Computer, Inc.", maxTouchPoints: 5 },
    },
    uaData: { state: "absent" },
    engine: { state: "ok", value: { family: "webkit" } },
  };
}

/** Inserts a device without visits. */
export async function insertTestDevice(db: Database, workspaceId: string): Promise<string> {
  const deviceId = newId("device");
  const at = new Date(0);
  await db.insert(devices).values({
    workspaceId,
    deviceId,
    firstSeenAt: at,
    lastRecordedAt: at,
    accessCount: 1,
    browserFamily: "chrome",
    osFamily: "windows",
  });
  return deviceId;
}

/**
 * Ages everything that the workspace's networks have seen by four weeks, with yesterday as the last sighting, and marks
 * links as proved right, so that evidence is used from then on.
 */
export async function letEvidenceAge(db: Database, workspaceId: string): Promise<void> {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  await db.execute(sql`
    update network_tokens set first_day = today - 28, last_day = today - 1, days = 9
    from (select (clock_timestamp() at time zone 'UTC')::date as today) at where workspace_id = ${workspace}`);
  const tally = { returned: 2_000, links: 900, wrong: 0 };
  const counts = {
    models: { total: 0, values: {} },
    tallies: { "desktop/4/3/2": tally, "handheld/4/3/2": tally },
  };
  await db.execute(sql`
    insert into device_populations (workspace_id, devices, counts, counted_at)
    values (${workspace}, 10, ${JSON.stringify(counts)}::jsonb, clock_timestamp())
    on conflict (workspace_id) do update set counts = excluded.counts, counted_at = excluded.counted_at`);
}

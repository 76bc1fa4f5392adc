import { createHash } from "node:crypto";

import { stratumName, stratumOf } from "@/lib/visits/devices";
import type { DemoVisit } from "./compose-visits";
import { DAY_MS } from "@/lib/platform/calendar";

/** Assumed share of devices with the same model. */
const MODEL_SHARES = { desktop: 0.001, handheld: 0.015 } as const;
const HANDHELD_SYSTEMS = new Set(["ios", "android"]);
/** Days that a network must have known a machine before a visit without its token would be linked to it. */
const KNOWN_DAYS = 14;

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
/** A 64-bit hash, like those of networks and models. */
const hashOf = (text: string) => createHash("sha256").update(text).digest().readBigInt64BE();
const addressOf = ({ report }: DemoVisit) => report.value.network.observed_ip ?? "";
const daysBetween = (one: Date, other: Date) => Math.floor((other.getTime() - one.getTime()) / DAY_MS);

type TokenInNetwork = {
  tokenId: string;
  deviceId: string;
  first: DemoVisit;
  days: Set<string>;
  lastDay: string;
  /** Undefined for a token first seen on another network. */
  stratum: string | undefined;
};

/** Replays what recognition knew about devices, tokens and networks at each visit. */
class Recognitions {
  readonly tokens: { tokenId: string; deviceId: string; boundAt: Date }[] = [];
  readonly seen = new Map<string, TokenInNetwork>();
  readonly shadows = new Map<string, { day: string; agreed: number; missed: number; wrong: number }>();
  readonly #current = new Map<string, string>();
  readonly #devicesAt = new Map<string, Map<string, Date>>();

  add(visit: DemoVisit): void {
    const { deviceId, recordedAt } = visit;
    const known = this.#devicesAt.get(addressOf(visit)) ?? new Map<string, Date>();
    this.#devicesAt.set(addressOf(visit), known);
    const since = known.get(deviceId);
    const ageDays = since && daysBetween(since, recordedAt);
    if (visit.recognition.by === "token") this.#assessAgain(visit, ageDays);
    else {
      const tokenId = crypto.randomUUID();
      this.#current.set(deviceId, tokenId);
      this.tokens.push({ tokenId, deviceId, boundAt: recordedAt });
    }
    const isNew = visit.recognition.by !== "token";
    this.#see(visit, isNew ? stratumName(this.#stratumOf(visit, known, ageDays)) : undefined);
    if (!since) known.set(deviceId, recordedAt);
  }

  #stratumOf({ deviceId, report }: DemoVisit, known: ReadonlyMap<string, Date>, ageDays: number | undefined) {
    const isHandheld = HANDHELD_SYSTEMS.has((report.value.operating_system.name ?? "").toLowerCase());
    const others = [...known.keys()].filter((each) => each !== deviceId).length;
    return stratumOf({ isHandheld, others, modelShare: MODEL_SHARES[isHandheld ? "handheld" : "desktop"], ageDays });
  }

  #see(visit: DemoVisit, stratum: string | undefined): void {
    const { deviceId, recordedAt } = visit;
    const tokenId = this.#current.get(deviceId);
    if (tokenId === undefined || addressOf(visit) === "") return;
    const key = `${tokenId} ${addressOf(visit)}`;
    const day = dayOf(recordedAt);
    const row = this.seen.get(key) ?? { tokenId, deviceId, first: visit, days: new Set(), lastDay: day, stratum };
    row.days.add(day);
    row.lastDay = day;
    this.seen.set(key, row);
  }

  /** Shadow matching: how a visit with a token would have been recognised without it. */
  #assessAgain({ recordedAt }: DemoVisit, ageDays: number | undefined): void {
    const day = dayOf(recordedAt);
    const counts = this.shadows.get(day) ?? { day, agreed: 0, missed: 0, wrong: 0 };
    counts[ageDays !== undefined && ageDays >= KNOWN_DAYS ? "agreed" : "missed"] += 1;
    this.shadows.set(day, counts);
  }
}

/**
 * The rows that recognition stores: tokens, the networks that saw them, and shadow results. Visits must be in order.
 */
export function recognitionRows(visits: readonly DemoVisit[], workspaceId: string) {
  const found = new Recognitions();
  for (const visit of visits) found.add(visit);
  return {
    deviceTokens: found.tokens.map((token) => ({ workspaceId, ...token })),
    deviceShadows: [...found.shadows.values()].map((row) => ({ workspaceId, shard: 0, ...row })),
    networkTokens: [...found.seen.values()].map(({ tokenId, deviceId, first, days, lastDay, stratum }) => ({
      ...{ workspaceId, tokenId, deviceId, lastDay, days: days.size, stratum },
      network: hashOf(addressOf(first)),
      // Each device is its own model, so no link in the demo data is disproved.
      model: hashOf(deviceId),
      firstDay: dayOf(first.recordedAt),
    })),
  };
}

import { blockingTexts, CANDIDATES_PER_KEY, CANDIDATES_WEIGHED } from "@/lib/devices/domain/blocking-keys";
import { type KnownDevice, matchDevice } from "@/lib/devices/domain/match-device";
import { countPopulation } from "@/lib/devices/domain/count-population";
import { unknownPopulation } from "@/lib/devices/domain/population";
import { DAY_MS, dayOf, type DeviceProfile, profileAfter } from "@/lib/devices/domain/profile";
import { observeTraits } from "@/lib/devices/observe-traits";
import { identify } from "@/lib/risk";
import type { Linker } from "./linkers";

const START_MS = Date.UTC(2026, 0, 1);

type Filed = { id: number; day: number };

/** The newest devices under each key, as the database keeps them. */
function createShelf() {
  const rows = new Map<string, Filed[]>();
  return {
    newest: (key: string) => rows.get(key)?.slice(0, CANDIDATES_PER_KEY) ?? [],
    file(key: string, id: number, day: number) {
      const others = (rows.get(key) ?? []).filter((row) => row.id !== id);
      rows.set(key, [{ id, day }, ...others]);
    },
  };
}

/** Those under the rarest keys first, as the service's query orders them. */
function rarestFirst(found: readonly (readonly Filed[])[]): number[] {
  const rarities = new Map<number, number>();
  for (const rows of found) for (const { id } of rows) rarities.set(id, (rarities.get(id) ?? 0) + 1 / rows.length);
  return [...rarities]
    .sort(([one, rarity], [other, otherRarity]) => otherRarity - rarity || one - other)
    .slice(0, CANDIDATES_WEIGHED)
    .map(([id]) => id);
}

const SAMPLE = 2_000;

/** The product's own rules, on tables in memory. */
export function imprint(): Linker {
  const profiles = new Map<number, DeviceProfile>();
  const owners = new Map<number, number>();
  const shelf = createShelf();
  let population = unknownPopulation(0);
  let countedDay = -1;
  const known = (id: number): KnownDevice[] => {
    const profile = profiles.get(id);
    return profile === undefined ? [] : [{ deviceId: String(id), profile }];
  };
  return ({ sent, visit }) => {
    const at = new Date(START_MS + sent.day * DAY_MS);
    const identity = identify(visit);
    const traits = observeTraits(visit, { identity, profile: "none", network: sent.network });
    if (dayOf(at) !== countedDay) {
      population = countPopulation(profiles.size, [...profiles.values()].slice(-SAMPLE));
      countedDay = dayOf(at);
    }
    const keys = blockingTexts(traits);
    const ids = rarestFirst(keys.map((key) => shelf.newest(key)));
    const owner = owners.get(sent.token);
    const tokenOwner = owner === undefined ? undefined : known(owner)[0];
    const match = matchDevice({ traits, at, tokenOwner }, tokenOwner ? [] : ids.flatMap(known), population);
    const found = match.outcome === "token_rejected" ? match.instead : match;
    const id = found.outcome === "linked" ? Number(found.deviceId) : profiles.size + 1;
    if (match.outcome !== "token_rejected") owners.set(sent.token, id);
    profiles.set(id, profileAfter(profiles.get(id), traits, at));
    for (const key of keys) shelf.file(key, id, dayOf(at));
    return id;
  };
}

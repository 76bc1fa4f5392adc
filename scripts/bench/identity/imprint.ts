import { countPopulation } from "@/lib/visits/devices/domain/count-population";
import { type EvidenceMatch, type KnownDevice, matchDevice } from "@/lib/visits/devices/domain/match-device";
import {
  isProven,
  livedOn,
  type TokenObservation,
  OBSERVATION_KEPT_DAYS,
  MAX_OBSERVATIONS,
  TOKEN_ALIVE_DAYS,
} from "@/lib/visits/devices/domain/network-observations";
import { unknownPopulation } from "@/lib/visits/devices/domain/population";
import { DAY_MS } from "@/lib/platform/calendar";
import { dayOf, type DeviceProfile, profileAfter } from "@/lib/visits/devices/domain/profile";
import { ARRIVAL_DAYS, parseStratum, type Tally, RECENT_DAYS, SETTLED_DAYS } from "@/lib/visits/devices/domain/strata";
import { hardwareText } from "@/lib/visits/devices/domain/traits";
import { observeTraits } from "@/lib/visits/devices/observe-traits";
import { identify } from "@/lib/visits/risk";
import type { Linker } from "./linkers";

const START_MS = Date.UTC(2026, 0, 1);
const SAMPLE = 2_000;

type Seen = { token: number; id: number; model: string; firstDay: number; lastDay: number; days: number };
type Decision = { day: number; stratum: string; network: string; token: number };

type Network = {
  tokens: Map<number, Seen>;
  /** Newest first, as many as the service reads. */
  newest: Seen[];
};

const emptyNetwork = (): Network => ({ tokens: new Map(), newest: [] });

/** Whether another token of the same model was there before. */
const isEarlier = (other: Seen, row: Seen): boolean =>
  other !== row && other.model === row.model && other.firstDay <= row.firstDay;

/**
 * Whether a new token that would have been linked proves to be a second machine of its model.
 *
 * @param earlier tokens of the model that were in its network before
 * @param lastDayOf the last day on which a token was seen, wherever that was
 */
function isSecondMachine(row: Seen, earlier: readonly Seen[], lastDayOf: (other: Seen) => number): boolean {
  const [candidate] = earlier
    .filter((other) => isProven(other) && row.firstDay - other.lastDay <= TOKEN_ALIVE_DAYS)
    .sort((one, other) => other.lastDay - one.lastDay);
  return (
    livedOn({ firstDay: row.firstDay, lastDay: lastDayOf(row) }) &&
    ((candidate !== undefined && livedOn(candidate) && lastDayOf(candidate) > row.firstDay) ||
      earlier.some((other) => livedOn(other) && other.lastDay > row.firstDay))
  );
}

const earlierIn = ({ tokens }: Network, row: Seen): Seen[] =>
  [...tokens.values()].filter((other) => isEarlier(other, row));

type Known = {
  decisions: readonly Decision[];
  networks: ReadonlyMap<string, Network>;
  lastDayOf: (other: Seen) => number;
};

/** Counts what the service's job counts. */
function tallyDecisions({ decisions, networks, lastDayOf }: Known, today: number): Record<string, Required<Tally>> {
  const tallies: Record<string, Required<Tally>> = {};
  const withOthers = new Set<string>();
  for (const { day, stratum, network: name, token } of decisions) {
    const network = networks.get(name);
    const row = network?.tokens.get(token);
    if (network === undefined || row === undefined) continue;
    const { age, isOtherMachine = false } = parseStratum(stratum);
    const isLink = age !== undefined;
    const isMet = isLink || (isOtherMachine && !withOthers.has(name));
    if (isOtherMachine) withOthers.add(name);
    const isWrong = isLink && isSecondMachine(row, earlierIn(network, row), lastDayOf);
    const isReturned = isProven({ firstDay: row.firstDay, lastDay: lastDayOf(row) });
    const isRecent = today - day < RECENT_DAYS;
    const tally = (tallies[stratum] ??= {
      returned: 0,
      links: 0,
      wrong: 0,
      recent: { returned: 0, wrong: 0 },
      met: { all: 0, lately: 0 },
    });
    tally.met.all += Number(isMet);
    tally.met.lately += Number(isMet && today - day < ARRIVAL_DAYS);
    tally.recent.returned += Number(isRecent && isReturned);
    tally.recent.wrong += Number(isRecent && isWrong);
    if (!isWrong && today - day < SETTLED_DAYS) continue;
    tally.returned += Number(isReturned);
    tally.links += Number(isLink);
    tally.wrong += Number(isWrong);
  }
  return tallies;
}

/** The tokens of each network, with the retention of the database. */
function createNetworks() {
  const networks = new Map<string, Network>();
  /** The last day on which a token was seen, wherever that was. */
  const lastDays = new Map<number, number>();
  let decisions: Decision[] = [];
  const lastDayOf = ({ token, lastDay }: Seen) => lastDays.get(token) ?? lastDay;
  return {
    observations: (network: string, model: string, today: number): TokenObservation[] =>
      (networks.get(network)?.newest ?? [])
        .filter(({ lastDay }) => today - lastDay <= OBSERVATION_KEPT_DAYS)
        .map(({ token, id, model: shown, ...days }) => ({
          tokenId: String(token),
          deviceId: String(id),
          isSameModel: shown === model,
          lastDayAnywhere: lastDays.get(token) ?? days.lastDay,
          ...days,
        })),
    note(name: string, seen: Pick<Seen, "token" | "id" | "model">, day: number) {
      const network = networks.get(name) ?? emptyNetwork();
      networks.set(name, network);
      const row = network.tokens.get(seen.token) ?? { ...seen, firstDay: day, lastDay: day, days: 1 };
      if (row.lastDay < day) row.days += 1;
      Object.assign(row, seen, { lastDay: day });
      network.tokens.set(seen.token, row);
      lastDays.set(seen.token, day);
      network.newest = [row, ...network.newest.filter((other) => other !== row)].slice(0, MAX_OBSERVATIONS + 1);
    },
    decide: (decision: Decision) => void decisions.push(decision),
    /** Tokens that were linked to another machine's device, as later visits showed. */
    disproved: (): Seen[] =>
      decisions.flatMap(({ network: name, token }) => {
        const network = networks.get(name);
        const row = network?.tokens.get(token);
        if (network === undefined || row === undefined) return [];
        const ofDevice = earlierIn(network, row).filter(({ id }) => id === row.id);
        return isSecondMachine(row, ofDevice, lastDayOf) ? [row] : [];
      }),
    tallies(today: number): Record<string, Tally> {
      decisions = decisions.filter(({ day }) => today - day <= OBSERVATION_KEPT_DAYS);
      return tallyDecisions({ decisions, networks, lastDayOf }, today);
    },
  };
}

/** Receives the evidence match of each visit and the id that the visit got. */
export type Watch = (found: EvidenceMatch, id: number) => void;

/** The product's own rules on in-memory tables. */
export function imprint(watch: Watch): Linker {
  const profiles = new Map<number, DeviceProfile>();
  const owners = new Map<number, number>();
  const networks = createNetworks();
  let population = unknownPopulation(0);
  let countedDay = -1;
  const known = (id: number): KnownDevice[] => {
    const profile = profiles.get(id);
    return profile === undefined ? [] : [{ deviceId: String(id), profile }];
  };
  return ({ sent, visit }) => {
    const at = new Date(START_MS + sent.day * DAY_MS);
    const today = dayOf(at);
    const identity = identify(visit);
    const traits = observeTraits(visit, { identity, profile: "none" });
    if (today !== countedDay) {
      population = countPopulation(profiles.size, [...profiles.values()].slice(-SAMPLE), networks.tallies(today));
      for (const { token, id } of networks.disproved()) if (owners.get(token) === id) owners.delete(token);
      countedDay = today;
    }
    const model = hardwareText(traits);
    const observations = networks.observations(sent.network, model, today);
    const owner = owners.get(sent.token);
    const tokenOwner = owner === undefined ? undefined : known(owner)[0];
    const devices = observations
      .filter(({ isSameModel }) => isSameModel)
      .flatMap(({ deviceId }) => known(Number(deviceId)));
    const match = matchDevice({ traits, at, tokenOwner }, { observations, devices }, population);
    const found = match.outcome === "token_rejected" ? match.instead : match;
    const id = found.outcome === "linked" ? Number(found.deviceId) : profiles.size + 1;
    if (match.outcome !== "token_rejected") owners.set(sent.token, id);
    if (match.outcome === "token_rejected" || match.by === "evidence") {
      const evidence = found as EvidenceMatch;
      watch(evidence, id);
      if (evidence.stratum !== undefined)
        networks.decide({ day: today, stratum: evidence.stratum, network: sent.network, token: sent.token });
    }
    profiles.set(id, profileAfter(profiles.get(id), traits, at));
    networks.note(sent.network, { token: sent.token, id, model }, today);
    return id;
  };
}

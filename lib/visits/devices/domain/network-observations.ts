/** One token in the network of a visit. Days are days since 1970, UTC. */
export type TokenObservation = {
  tokenId: string;
  /** Device that the token belongs to. */
  deviceId: string;
  /** The token was shown by the same model of machine and browser as the visit's. */
  isSameModel: boolean;
  firstDay: number;
  lastDay: number;
  /** On how many different days. */
  days: number;
};

/** Days for which a token counts as alive, and for which a network's tokens are kept at all. */
const TOKEN_ALIVE_DAYS = 30;
export const OBSERVATION_KEPT_DAYS = 120;

/** Where more tokens come and go, nothing can be said of one. */
export const MAX_OBSERVATIONS = 64;

/** A browser that keeps its token comes back on another day; a private window, a guest, a wiped machine does not. */
export const isProven = ({ firstDay, lastDay }: Pick<TokenObservation, "firstDay" | "lastDay">): boolean =>
  lastDay > firstDay;

/** Days between the first and the last of a token that lives on: one evening in America lies in two days of UTC. */
export const LIVED_ON_DAYS = 2;

/** A private window that was open over the end of a UTC day came back by the calendar, and is no machine of its own. */
export const livedOn = ({ firstDay, lastDay }: Pick<TokenObservation, "firstDay" | "lastDay">): boolean =>
  lastDay - firstDay >= LIVED_ON_DAYS;

/** Both lived on after the other was there: two installations. One that replaced the other did not. */
const areTwoMachines = (one: TokenObservation, other: TokenObservation): boolean =>
  livedOn(one) && livedOn(other) && one.lastDay > other.firstDay && other.lastDay > one.firstDay;

/** Why a network has no candidate, in the words of the Console. */
export type NoCandidate = "unknown_model" | "several_machines" | "wiped_storage";

export type Candidate = {
  deviceId: string;
  /** Days since the machine was first seen in this network. */
  ageDays: number;
};

/**
 * The one machine of this model that the network is known to have. Tokens are counted, not devices: a token that was
 * given to a device by mistake still shows the second machine.
 */
export function candidateIn(observations: readonly TokenObservation[], today: number): Candidate | NoCandidate {
  const alive = observations.filter(({ lastDay }) => today - lastDay <= TOKEN_ALIVE_DAYS);
  const ofModel = observations.filter(({ isSameModel }) => isSameModel);
  const proven = ofModel.filter(isProven);
  const [newest] = alive
    .filter((observation) => observation.isSameModel && isProven(observation))
    .sort((one, other) => other.lastDay - one.lastDay);
  if (newest === undefined) return "unknown_model";
  if (proven.some((one, index) => proven.slice(index + 1).some((other) => areTwoMachines(one, other))))
    return "several_machines";
  const visited = proven.reduce((sum, { days }) => sum + days, 0);
  if (ofModel.length - proven.length > visited) return "wiped_storage";
  return {
    deviceId: newest.deviceId,
    ageDays: today - Math.min(...proven.map(({ firstDay }) => firstDay)),
  };
}

/** Tokens of other models that are alive in a network. */
export const othersIn = (observations: readonly TokenObservation[], today: number): number =>
  observations.filter(
    (observation) =>
      !observation.isSameModel && isProven(observation) && today - observation.lastDay <= TOKEN_ALIVE_DAYS,
  ).length;

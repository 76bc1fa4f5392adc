/** One token in the network of a visit. Days are counted since 1970, in UTC. */
export type TokenObservation = {
  tokenId: string;
  /** Device that the token belongs to. */
  deviceId: string;
  /** Whether the token was seen with the same model of machine and browser as the visit. */
  isSameModel: boolean;
  firstDay: number;
  lastDay: number;
  /** Last day on which the token was seen, in this network or in any other. */
  lastDayAnywhere: number;
  /** Number of distinct days. */
  days: number;
};

/** Days since it was last seen for which a token counts as alive; below, days for which a network's tokens are kept. */
export const TOKEN_ALIVE_DAYS = 30;
export const OBSERVATION_KEPT_DAYS = 120;

/** With more tokens than this in a network, no single one is meaningful. */
export const MAX_OBSERVATIONS = 64;

/**
 * A browser that keeps its token returns on another day; a private window, a guest session or a wiped machine does not.
 */
export const isProven = ({ firstDay, lastDay }: Pick<TokenObservation, "firstDay" | "lastDay">): boolean =>
  lastDay > firstDay;

/** Minimum days between first and last sighting of a token that lives on: an evening in America spans two UTC days. */
export const LIVED_ON_DAYS = 2;

/**
 * Whether the token was seen over several days. A private window kept open past the end of a UTC day does not count.
 */
export const livedOn = ({ firstDay, lastDay }: Pick<TokenObservation, "firstDay" | "lastDay">): boolean =>
  lastDay - firstDay >= LIVED_ON_DAYS;

const livedOnAnywhere = ({ firstDay, lastDayAnywhere }: TokenObservation): boolean =>
  livedOn({ firstDay, lastDay: lastDayAnywhere });

/**
 * Whether each token lived on after the other had appeared, so they are two installations and neither replaced the
 * other. The machine of a guest, or of someone who moved away, lives on in another network.
 */
const areTwoMachines = (one: TokenObservation, other: TokenObservation): boolean =>
  livedOnAnywhere(one) &&
  livedOnAnywhere(other) &&
  one.lastDayAnywhere > other.firstDay &&
  other.lastDayAnywhere > one.firstDay;

/** Why a network has no candidate, with the Console's names. */
export type NoCandidate = "unknown_model" | "several_machines" | "wiped_storage";

export type Candidate = {
  deviceId: string;
  /** Days since the machine was first seen in this network. */
  ageDays: number;
};

/**
 * Finds the only machine of this model that is known in the network. Counts tokens rather than devices: a token that
 * was linked to a device by mistake still reveals a second machine.
 */
export function candidateIn(observations: readonly TokenObservation[], today: number): Candidate | NoCandidate {
  const alive = observations.filter(({ lastDay }) => today - lastDay <= TOKEN_ALIVE_DAYS);
  const ofModel = observations.filter(({ isSameModel }) => isSameModel);
  const proven = ofModel.filter(isProven);
  const [newest] = alive
    .filter((observation) => observation.isSameModel && isProven(observation))
    .sort((one, other) => other.lastDay - one.lastDay);
  if (newest === undefined) return "unknown_model";
  if (ofModel.some((one, index) => ofModel.slice(index + 1).some((other) => areTwoMachines(one, other))))
    return "several_machines";
  const visited = proven.reduce((sum, { days }) => sum + days, 0);
  if (ofModel.length - proven.length > visited) return "wiped_storage";
  return {
    deviceId: newest.deviceId,
    ageDays: today - Math.min(...proven.map(({ firstDay }) => firstDay)),
  };
}

/** Number of tokens of other models that are alive in the network. */
export const othersIn = (observations: readonly TokenObservation[], today: number): number =>
  observations.filter(
    (observation) =>
      !observation.isSameModel && isProven(observation) && today - observation.lastDay <= TOKEN_ALIVE_DAYS,
  ).length;

import PRIOR from "./population-prior.json";
import type { Tallies } from "./strata";
import { type DeviceTraits, hardwareText, shortHash } from "./traits";

/** Counts of each value of one kind among a sample of devices, by short hash. */
export type Counts = { total: number; values: Readonly<Record<string, number>> };

/** Facts learnt from a workspace's visits: how frequent each model is, and how often links of each kind were wrong. */
export type Population = { devices: number; models: Counts; tallies: Tallies };

const EMPTY_COUNTS: Counts = { total: 0, values: {} };

export const unknownPopulation = (devices: number): Population => ({ devices, models: EMPTY_COUNTS, tallies: {} });

/**
 * Firefox rounds the graphics card to a class and reports no memory, model or architecture, so the sample has few such
 * values.
 */
const GECKO_SHARE = 0.0005;
/** Count assumed for models that are missing from the shipped sample. */
const UNLISTED = 1;
/** Smaller local counts are not informative. */
const LOCAL_COUNT_MIN = 3;

type Prior = { devices: number; hardware: Record<string, number> };
const prior: Prior = PRIOR;

const countOf = (values: Readonly<Record<string, number>>, key: string): number =>
  Object.hasOwn(values, key) ? (values[key] ?? 0) : 0;

const localShare = ({ total, values }: Counts, text: string): number => {
  const count = countOf(values, shortHash(text));
  return count < LOCAL_COUNT_MIN ? 0 : count / total;
};

/** Share of the visit's model in the shipped sample or in the workspace, whichever is larger. */
export function modelShare(traits: DeviceTraits, { models }: Population): number {
  const text = hardwareText(traits);
  const shipped = Math.max(countOf(prior.hardware, shortHash(text)), UNLISTED) / prior.devices;
  return Math.max(shipped, traits.engine === "gecko" ? GECKO_SHARE : 0, localShare(models, text));
}

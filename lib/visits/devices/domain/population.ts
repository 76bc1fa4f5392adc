import PRIOR from "./population-prior.json";
import type { Tallies } from "./strata";
import { type DeviceTraits, hardwareText, shortHash } from "./traits";

/** Counts of one kind of value among tokens that came back, by short hash. */
export type Counts = { total: number; values: Readonly<Record<string, number>> };

/** What a workspace has learnt: how frequent each model is, and how often links of each kind went wrong. */
export type Population = { devices: number; models: Counts; tallies: Tallies };

const EMPTY_COUNTS: Counts = { total: 0, values: {} };

export const unknownPopulation = (devices: number): Population => ({ devices, models: EMPTY_COUNTS, tallies: {} });

/** Firefox rounds the graphics card to a class and tells no memory, model or architecture; the sample holds few of it. */
const GECKO_SHARE = 0.0005;
/** What an unlisted model is taken to have been seen, in devices of the shipped sample. */
const UNLISTED = 1;
/** Below this a local count says nothing. */
const LOCAL_COUNT_MIN = 3;

type Prior = { devices: number; hardware: Record<string, number> };
const prior: Prior = PRIOR;

const countOf = (values: Readonly<Record<string, number>>, key: string): number =>
  Object.hasOwn(values, key) ? (values[key] ?? 0) : 0;

const localShare = ({ total, values }: Counts, text: string): number => {
  const count = countOf(values, shortHash(text));
  return count < LOCAL_COUNT_MIN ? 0 : count / total;
};

/** How frequent the model of a visit is: in the shipped sample or in the workspace, whichever is more. */
export function modelShare(traits: DeviceTraits, { models }: Population): number {
  const text = hardwareText(traits);
  const shipped = Math.max(countOf(prior.hardware, shortHash(text)), UNLISTED) / prior.devices;
  return Math.max(shipped, traits.engine === "gecko" ? GECKO_SHARE : 0, localShare(models, text));
}

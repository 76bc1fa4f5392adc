import { evaluateMovement, type Place } from "./domain/movement";
import type { NetworkFacts } from "./domain/network-facts";
import type { NetworkEvidence } from "./domain/rule";
import { lookupNetworkIn, placeOfAddress } from "./lookup-network";
import type { NetworkData } from "./network-data";
import { openedNetworkData } from "./open-network-data";
import { addressWords } from "./ranges";

/** Recent places of a browser, newest first. */
type Visited = {
  places: readonly { address: string; ageSeconds: number }[];
  isHandheld: boolean;
};

function coordinatesOf(data: NetworkData | undefined, { address }: NetworkFacts): Pick<Place, "coordinates"> {
  if (data === undefined || address === undefined) return {};
  const { latitude, longitude } = placeOfAddress(data, address, addressWords(address));
  return latitude === undefined || longitude === undefined ? {} : { coordinates: [latitude, longitude] };
}

/** Like `assessMovement`, with explicit data. */
export function assessMovementIn(
  data: NetworkData | undefined,
  observed: NetworkFacts,
  { places, isHandheld }: Visited,
): NetworkEvidence[] {
  const elsewhere = places.filter(({ address }) => address !== observed.address);
  if (elsewhere.length === 0) return [];
  const placeAt = (facts: NetworkFacts, ageSeconds: number): Place => ({
    facts,
    ageSeconds,
    ...coordinatesOf(data, facts),
  });
  return evaluateMovement(
    placeAt(observed, 0),
    elsewhere.map(({ address, ageSeconds }) => placeAt(lookupNetworkIn(data, address), ageSeconds)),
    isHandheld,
  );
}

/** Evaluates the recent addresses of a browser known by its token. Uses the data of this process. */
export const assessMovement = (observed: NetworkFacts, visited: Visited): NetworkEvidence[] =>
  assessMovementIn(openedNetworkData(), observed, visited);

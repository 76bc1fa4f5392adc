import type { Organisation } from "./asn-table";
import { classifyOrganisation } from "./domain/classify-organisation";
import { knownConnectionType } from "./domain/known-networks";
import type { NetworkData } from "./network-data";

type Classified = NonNullable<ReturnType<NetworkData["classByAsn"]["get"]>>;

/** What kind of network an organisation runs: our own table of AS numbers first, then its name. */
export function classify(cache: NetworkData["classByAsn"], { asn, name }: Organisation): Classified {
  const cached = cache.get(asn);
  if (cached !== undefined) return cached;
  const known = knownConnectionType(asn);
  const classified: Classified =
    known === undefined ? { ...classifyOrganisation(name), source: "name" } : { type: known, source: "asn-table" };
  cache.set(asn, classified);
  return classified;
}

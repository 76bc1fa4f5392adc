import type { Organisation } from "./asn-table";
import { classifyOrganisation } from "./domain/classify-organisation";
import { knownAnonymity, knownConnectionType } from "./domain/known-networks";
import type { NetworkData } from "./network-data";

type Classified = NonNullable<ReturnType<NetworkData["classByAsn"]["get"]>>;

function decide({ asn, name }: Organisation): Classified {
  const known = knownConnectionType(asn);
  if (known === undefined) return { ...classifyOrganisation(name), source: "name" };
  const anonymity = knownAnonymity(asn);
  return { type: known, source: "asn-table", ...(anonymity && { anonymity }) };
}

/** Classifies an organisation's network, by our table of AS numbers or else by its name. */
export function classify(cache: NetworkData["classByAsn"], organisation: Organisation): Classified {
  const cached = cache.get(organisation.asn);
  if (cached !== undefined) return cached;
  const classified = decide(organisation);
  cache.set(organisation.asn, classified);
  return classified;
}

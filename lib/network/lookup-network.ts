import lookUpTimezone from "@photostructure/tz-lookup";
import { canonicalAddress, isPublicAddress } from "./address";
import { findOrganisation } from "./asn-table";
import { classify } from "./classify";
import type { NetworkFacts } from "./domain/network-facts";
import { findPlace, findRegistryCountry } from "./geo-records";
import type { Place } from "./geo-records";
import { openedNetworkData } from "./network-data";
import type { NetworkData } from "./network-data";

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** The zone of a city's coordinates; those of a whole country would only be a guess. */
function timezoneOf({ city, latitude, longitude }: Place): string | undefined {
  if (city === undefined || latitude === undefined || longitude === undefined) return undefined;
  try {
    return lookUpTimezone(latitude, longitude);
  } catch {
    return undefined; // Coordinates out of range in a damaged record.
  }
}

function whereIs(data: NetworkData, address: string): NetworkFacts {
  const place = data.city ? findPlace(data.city, address) : {};
  const registryCountry = data.country && findRegistryCountry(data.country, address);
  const countryCode = place.countryCode ?? registryCountry;
  if (countryCode === undefined) return { evidence: [] };

  const areBothKnown = place.countryCode !== undefined && registryCountry !== undefined;
  const countryAgrees = place.countryCode === registryCountry;
  const countryName = COUNTRY_NAMES.of(countryCode);
  const timezone = areBothKnown && countryAgrees ? timezoneOf(place) : undefined;
  return {
    countryCode,
    ...(areBothKnown && { countryAgrees }),
    ...(countryName !== undefined && { countryName }),
    ...(place.region !== undefined && { region: place.region }),
    ...(place.city !== undefined && { city: place.city }),
    ...(timezone !== undefined && { timezone }),
    evidence: areBothKnown && !countryAgrees ? [`country:differs:city=${countryCode},registry=${registryCountry}`] : [],
  };
}

function whoAnnounces(data: NetworkData, address: string): NetworkFacts {
  const organisation = data.asn && findOrganisation(data.asn, address);
  if (organisation === undefined) return { connectionType: "unknown", evidence: [] };
  const { type, source, term } = classify(data.classByAsn, organisation);
  return {
    asn: organisation.asn,
    provider: organisation.name,
    connectionType: type,
    evidence: type === "unknown" ? [] : [`${source}:${type}${term === undefined ? "" : `:${term}`}`],
  };
}

/** What the given data says about an address; all facts are omitted for one that is not public. */
export function lookupNetworkIn(data: NetworkData | undefined, address: string | undefined): NetworkFacts {
  const canonical = address === undefined ? undefined : canonicalAddress(address);
  if (canonical === undefined || !isPublicAddress(canonical)) return { evidence: [] };
  if (data === undefined) return { address: canonical, connectionType: "unknown", evidence: [] };
  const [where, who] = [whereIs(data, canonical), whoAnnounces(data, canonical)];
  return { address: canonical, ...where, ...who, evidence: [...who.evidence, ...where.evidence] };
}

/** What this process's data says about an address. Without `openNetworkData` before it, only whether it is public. */
export const lookupNetwork = (address: string | undefined): NetworkFacts =>
  lookupNetworkIn(openedNetworkData(), address);

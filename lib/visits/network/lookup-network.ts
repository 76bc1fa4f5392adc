import lookUpTimezone from "@photostructure/tz-lookup";
import { canonicalAddress, isPublicCanonical } from "@/lib/platform/addresses";
import { classifyAddress } from "./classify-address";
import type { NetworkFacts } from "./domain/network-facts";
import { findPlace, findRegistryCountry } from "./geo-records";
import type { NetworkData } from "./network-data";
import { placeIn } from "./operator-file";
import { type AddressWords, addressWords } from "./ranges";
import type { Place } from "./record-facts";

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

const knownNames = new Map<string, string | undefined>();

/** English name, cached as there are only about 250. */
function nameOfCountry(countryCode: string): string | undefined {
  if (!knownNames.has(countryCode)) knownNames.set(countryCode, COUNTRY_NAMES.of(countryCode));
  return knownNames.get(countryCode);
}

/** The zone at a city's coordinates. The coordinates of a whole country would only allow a guess. */
function timezoneOf({ city, latitude, longitude, timezone }: Place): string | undefined {
  if (timezone !== undefined) return timezone;
  if (city === undefined || latitude === undefined || longitude === undefined) return undefined;
  try {
    return lookUpTimezone(latitude, longitude);
  } catch {
    return undefined; // Damaged record with coordinates out of range.
  }
}

/** The operator's file takes precedence, and is used alone if it knows the country. */
export function placeOfAddress(data: NetworkData, address: string, words: AddressWords): Place {
  const own = data.files.city && placeIn(data.files.city, address, words);
  if (own?.countryCode !== undefined) return own;
  return data.city ? findPlace(data.city, address) : {};
}

function whereIs(data: NetworkData, address: string, words: AddressWords): NetworkFacts {
  const place = placeOfAddress(data, address, words);
  const registryCountry = data.country && findRegistryCountry(data.country, address);
  const countryCode = place.countryCode ?? registryCountry;
  if (countryCode === undefined) return { evidence: [] };

  const areBothKnown = place.countryCode !== undefined && registryCountry !== undefined;
  const countryAgrees = place.countryCode === registryCountry;
  const countryName = nameOfCountry(countryCode);
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

/** Looks up an address in the given data. Addresses that are not public have no facts. */
export function lookupNetworkIn(data: NetworkData | undefined, address: string | undefined): NetworkFacts {
  const canonical = address === undefined ? undefined : canonicalAddress(address);
  if (canonical === undefined || !isPublicCanonical(canonical)) return { evidence: [] };
  if (data === undefined) return { address: canonical, connectionType: "unknown", evidence: [] };
  const words = addressWords(canonical);
  const [where, who] = [whereIs(data, canonical, words), classifyAddress(data, canonical, words)];
  return { address: canonical, ...where, ...who, evidence: [...who.evidence, ...where.evidence] };
}

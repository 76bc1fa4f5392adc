import { checkEvidence } from "@/lib/visits/risk/domain/evidence";

import type { NetworkFacts } from "./network-facts";
import { fact, type NetworkEvidence, place } from "./rule";
import { sharingOf } from "./sharing";

/** Rules about the recent places of a browser, with the reason of each. */
export const MOVEMENT_RULES = {
  "network.token-spread": "NETWORK_INCONSISTENT",
  "network.impossible-travel": "LOCATION_INCONSISTENT",
} as const;

/** A place of a browser, and how long ago it was there. */
export type Place = {
  facts: NetworkFacts;
  /** Degrees north and east; undefined if the data have none. */
  coordinates?: readonly [latitude: number, longitude: number];
  ageSeconds: number;
};

const EARTH_RADIUS_KM = 6371;
/**
 * Maximum distance between an address's location and the visitor. City data are accurate to 50 km for about three of
 * four homes and name a different part of the country for most others. Countries on which two sources agree can be
 * further off.
 */
const ACCURACY_KM = 300;
/** Airliners cruise at about 900 km/h ground speed. */
const FASTEST_KM_PER_HOUR = 1_000;
/** Minimum distance, after subtracting both inaccuracies, to count as a journey. */
const MIN_KM = 300;

/** Networks used within this time count as simultaneous. */
const AT_ONCE_SECONDS = 120;
/** Switching between one or two lines is normal; a third line of another provider is not. */
const FIXED_LINES_AT_ONCE = 3;
/**
 * Homes of one provider in use simultaneously. A line that reconnects changes its address once or twice in that time;
 * several addresses of one /24 count as one home, since a provider may let a subscriber out through a few of them.
 */
const HOMES_AT_ONCE = 4;

const isIpv6 = ({ address = "" }: NetworkFacts) => address.includes(":");

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance by the haversine formula. */
export function distanceKm(
  [north, east]: readonly [number, number],
  [north2, east2]: readonly [number, number],
): number {
  const [a, b] = [Math.sin(radians(north2 - north) / 2), Math.sin(radians(east2 - east) / 2)];
  return (
    2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(a * a + Math.cos(radians(north)) * Math.cos(radians(north2)) * b * b))
  );
}

/**
 * Lines whose users are where the address is: excludes phones, whose traffic may leave at home, companies and exits.
 */
const isHome = ({ connectionType, anonymity }: NetworkFacts) =>
  connectionType === "residential" && anonymity === undefined;

/** Compares one address family with itself only, as providers announce the two families in different places. */
function isImpossible(from: Place, to: Place): boolean {
  const [a, b] = [from.facts, to.facts];
  if (!isHome(a) || !isHome(b) || isIpv6(a) !== isIpv6(b) || !from.coordinates || !to.coordinates) return false;
  if (a.countryAgrees !== true || b.countryAgrees !== true || a.countryCode === b.countryCode) return false;
  const km = distanceKm(from.coordinates, to.coordinates) - 2 * ACCURACY_KM;
  return km >= MIN_KM && km > (FASTEST_KM_PER_HOUR * (from.ageSeconds - to.ageSeconds)) / 3600;
}

const minutes = (seconds: number) => (seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`);

function travelFinding(from: Place, to: Place): NetworkEvidence {
  const km = from.coordinates && to.coordinates ? distanceKm(from.coordinates, to.coordinates) : 0;
  return checkEvidence(MOVEMENT_RULES, "network.impossible-travel", {
    explanation: "The same browser was at two homes that are too far apart for the time between the visits.",
    compared: [
      ...place("Country, before", from.facts.countryName ?? from.facts.countryCode),
      ...place("Address, before", from.facts.address),
      ...place("Country, this visit", to.facts.countryName ?? to.facts.countryCode, true),
      ...place("Address, this visit", to.facts.address, true),
      ...place("Distance", `about ${Math.round(km / 100) * 100} km`),
      ...fact("Time between", minutes(from.ageSeconds)),
    ],
    harmlessCauses: [
      "A VPN that leaves through an ordinary line, such as a router at home or in an office",
      "A computer abroad that uses a phone's connection: its traffic leaves in the phone's home country",
      "A connection by satellite, whose addresses belong to another country",
      "A range of addresses that was sold to another country lately",
    ],
    source: "Distance by the installed city data, less 300 km at each end, at more than 1,000 km/h",
  });
}

/** One name for all addresses of a line's provider. Undefined for phones and exits, which change on their own. */
function lineOf({ address, asn, connectionType, anonymity }: NetworkFacts): string | undefined {
  if (address === undefined || anonymity !== undefined) return undefined;
  if (connectionType === "mobile" || connectionType === "proxy" || connectionType === "hosting") return undefined;
  if (asn !== undefined) return `AS${asn}`;
  const groups = address.split(address.includes(":") ? ":" : ".");
  return groups.slice(0, 2).join(address.includes(":") ? ":" : ".");
}

/** The /24 or /48 of a canonical address. */
function siteOf(address: string): string {
  if (!address.includes(":")) return `${address.slice(0, address.lastIndexOf("."))}.0/24`;
  const [head = ""] = address.split("::");
  return `${[...head.split(":"), "0", "0"].slice(0, 3).join(":")}::/48`;
}

/** The network of an address that belongs to one household. Undefined for addresses that many share. */
const homeOf = (facts: NetworkFacts): string | undefined =>
  facts.address !== undefined && facts.anonymity === undefined && sharingOf(facts) === "home"
    ? siteOf(facts.address)
    : undefined;

/** Names of one address family in use simultaneously: the longer list of the two families. */
function namesAtOnce(places: readonly Place[], nameOf: (facts: NetworkFacts) => string | undefined): string[] {
  const names = (ofIpv6: boolean) => [
    ...new Set(places.flatMap(({ facts }) => (isIpv6(facts) === ofIpv6 ? (nameOf(facts) ?? []) : []))),
  ];
  const [ipv4, ipv6] = [names(false), names(true)];
  return ipv6.length > ipv4.length ? ipv6 : ipv4;
}

function spreadFinding(here: string | undefined, networks: readonly string[]): NetworkEvidence {
  return checkEvidence(MOVEMENT_RULES, "network.token-spread", {
    explanation:
      "The same browser came from several unrelated networks within two minutes: its device token is in use in several places.",
    compared: [
      ...place("Network, this visit", here, true),
      ...place("Networks within two minutes", networks.join(", ")),
    ],
    harmlessCauses: [
      "A router or gateway that spreads its traffic over lines of three providers",
      "A provider that sends each connection out through another of its networks",
      "An automatic test of your own that visits by way of several networks",
    ],
    source: "Own rule: a browser changes from one line to another, or to a VPN, and not to a third at once",
  });
}

/**
 * The earlier place that cannot be the same browser's. A phone abroad alternates between the local network and its
 * carrier at home, and many carriers have one network for phones and homes, so for a phone a third country is required.
 */
function placeTooFar(here: Place, earlier: readonly Place[], isHandheld: boolean): Place | undefined {
  const tooFar = earlier.filter((from) => isImpossible(from, here));
  const countries = new Set(tooFar.map(({ facts }) => facts.countryCode));
  return countries.size > (isHandheld ? 1 : 0) ? tooFar[0] : undefined;
}

/** Evaluates where a browser was recently. Makes at most one finding, as both have the same cause. */
export function evaluateMovement(here: Place, earlier: readonly Place[], isHandheld = false): NetworkEvidence[] {
  if (here.facts.address === undefined) return [];
  const atOnce = [here, ...earlier.filter(({ ageSeconds }) => ageSeconds <= AT_ONCE_SECONDS)];
  const lines = namesAtOnce(atOnce, lineOf);
  if (lines.length >= FIXED_LINES_AT_ONCE) return [spreadFinding(lineOf(here.facts) ?? here.facts.address, lines)];
  const homes = namesAtOnce(atOnce, homeOf);
  if (homes.length >= HOMES_AT_ONCE) return [spreadFinding(homeOf(here.facts) ?? here.facts.address, homes)];
  const before = placeTooFar(here, earlier, isHandheld);
  return before ? [travelFinding(before, here)] : [];
}

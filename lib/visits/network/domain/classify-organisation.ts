import type { Anonymity, ConnectionType } from "./network-facts";
import {
  CARRIER_TERMS,
  CORPORATE_TERMS,
  HOSTING_BARS,
  HOSTING_BRANDS,
  HOSTING_SUFFIXES,
  HOSTING_TERMS,
  ISP_TERMS,
  MOBILE_TERMS,
  PROXY_TERMS,
  VPN_TERMS,
  STRONG_ISP_SUFFIXES,
  STRONG_ISP_TERMS,
} from "./organisation-terms";

export type OrganisationClass = {
  type: ConnectionType;
  /** The term that decided; undefined for "unknown". */
  term?: string;
  /** How a network of type `proxy` hides its users, if the name tells. */
  anonymity?: Anonymity;
};

/** Lower case without diacritics; everything but letters and digits becomes a space, with one space at each end. */
const normalise = (name: string): string =>
  ` ${name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/** Returns a function that finds the first of the terms in a normalised name, as whole words. */
const finder = (terms: string[]) => {
  const pattern = new RegExp(` (${[...terms].sort((a, b) => b.length - a.length).join("|")})(?= )`);
  return (normalised: string): string | undefined => pattern.exec(normalised)?.[1];
};

const findVpn = finder(VPN_TERMS);
const findProxy = finder(PROXY_TERMS);
const findBrand = finder(HOSTING_BRANDS);
const findHosting = finder(HOSTING_TERMS);
const findCorporate = finder(CORPORATE_TERMS);
const findMobile = finder(MOBILE_TERMS);
const findStrongIsp = finder(STRONG_ISP_TERMS);
const findCarrier = finder(CARRIER_TERMS);
const findIsp = finder(ISP_TERMS);
const findCorporateBar = finder(["internet", "wireless"]);
const findHostingBar = finder(HOSTING_BARS);

const endsWith = (suffixes: string[]) => new RegExp(` [\\p{L}\\p{N}]+(${suffixes.join("|")})(?= )`, "u");
const HOSTING_ENDING = endsWith(HOSTING_SUFFIXES);
const STRONG_ISP_ENDING = endsWith(STRONG_ISP_SUFFIXES);
/** "Hostexample", but not hostels or hostesses. */
const HOSTING_BEGINNING = / (host)(?!el|al|ess|il)[\p{L}\p{N}]{3,}(?= )/u;

const findHostingWord = (normalised: string): string | undefined =>
  findHostingBar(normalised) === undefined
    ? (findHosting(normalised) ?? HOSTING_ENDING.exec(normalised)?.[1] ?? HOSTING_BEGINNING.exec(normalised)?.[1])
    : undefined;
const findStrongIspWord = (normalised: string): string | undefined =>
  findStrongIsp(normalised) ?? STRONG_ISP_ENDING.exec(normalised)?.[1];

/**
 * Classifies an organisation's network by name only. Good for `hosting` (about nine of ten names are right), weak for
 * `proxy`, and "unknown" if no term decides.
 */
export function classifyOrganisation(name: string): OrganisationClass {
  const normalised = normalise(name);
  const vpn = findVpn(normalised);
  if (vpn !== undefined) return { type: "proxy", term: vpn, anonymity: "vpn" };
  const proxy = findProxy(normalised);
  if (proxy !== undefined) return { type: "proxy", term: proxy };

  const brand = findBrand(normalised);
  if (brand !== undefined && findCarrier(normalised) === undefined) return { type: "hosting", term: brand };

  const mobile = findMobile(normalised);
  const strongIsp = findStrongIspWord(normalised);
  const hosting = findHostingWord(normalised);
  if (hosting !== undefined && mobile === undefined && strongIsp === undefined)
    return { type: "hosting", term: hosting };

  const corporate = findCorporate(normalised);
  const mayBeCorporate = strongIsp === undefined && mobile === undefined && findCorporateBar(normalised) === undefined;
  if (corporate !== undefined && mayBeCorporate) return { type: "corporate", term: corporate };

  if (mobile !== undefined) return { type: "mobile", term: mobile };
  const isp = strongIsp ?? findIsp(normalised);
  return isp === undefined ? { type: "unknown" } : { type: "residential", term: isp };
}

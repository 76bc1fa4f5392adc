import networks from "./known-networks.json";
import type { Anonymity, ConnectionType } from "./network-facts";

/**
 * Networks that are publicly known and whose names are misleading or meaningless: AS numbers by common brand name.
 * Mixed networks (carriers with both fixed and mobile customers) do not belong in the file.
 *
 * `tor` and `vpn` are operators of Tor exits and VPN services; `relay` networks carry only a browser vendor's relay;
 * `corporate` has company gateways, companies' own networks and universities; `unknown` has backbones, which carry
 * everybody's traffic, so that their own addresses say nothing about the visitor.
 */
const { tor, vpn, relay, ...byConnectionType } = networks;

type AsnsByBrand = Readonly<Record<string, readonly number[]>>;

export const KNOWN_NETWORKS: Readonly<Record<ConnectionType, AsnsByBrand>> = {
  ...byConnectionType,
  proxy: { ...tor, ...vpn, ...relay },
};

const valueByAsn = <T extends string>(groups: Readonly<Record<T, AsnsByBrand>>): ReadonlyMap<number, T> =>
  new Map(
    (Object.keys(groups) as T[]).flatMap((value) =>
      Object.values<readonly number[]>(groups[value]).flatMap((asns) => asns.map((asn) => [asn, value] as const)),
    ),
  );

const TYPE_BY_ASN = valueByAsn(KNOWN_NETWORKS);

export const knownConnectionType = (asn: number): ConnectionType | undefined => TYPE_BY_ASN.get(asn);

const ANONYMITY_BY_ASN = valueByAsn({ tor, vpn, relay });

/** How a network of type `proxy` hides its users. */
export const knownAnonymity = (asn: number): Anonymity | undefined => ANONYMITY_BY_ASN.get(asn);

import { findOrganisation, type Organisation } from "./asn-table";
import { classify } from "./classify";
import type { Anonymity, ConnectionType, NetworkFacts, TypeSource } from "./domain/network-facts";
import { isKnownRelay } from "./known-ranges";
import type { NetworkData } from "./network-data";
import { ownerIn, usageIn } from "./operator-file";
import { type AddressWords, findRange } from "./ranges";

type Verdict = Pick<NetworkFacts, "connectionType" | "typeSource" | "anonymity" | "evidence">;

function verdict(
  source: TypeSource,
  type: ConnectionType,
  anonymity: Anonymity | undefined,
  detail: string | undefined = anonymity,
): Verdict {
  const evidence = [detail === undefined ? `${source}:${type}` : `${source}:${type}:${detail}`];
  const base = { connectionType: type, typeSource: source, evidence };
  return anonymity === undefined ? base : { ...base, anonymity };
}

const UNKNOWN: Verdict = { connectionType: "unknown", evidence: [] };

const isListed = (data: NetworkData, name: keyof NetworkData["lists"], words: AddressWords) => {
  const ranges = data.lists[name];
  return ranges !== undefined && findRange(ranges, words) >= 0;
};

const EXIT_LISTS = ["tor", "relay", "vpn"] as const;

/** Classification by sources about single addresses, which are more specific than those about whole networks. */
function byAddress(data: NetworkData, canonical: string, words: AddressWords): Verdict | undefined {
  const usage = data.files.anonymous && usageIn(data.files.anonymous, canonical, words);
  if (usage) return verdict("operator-file", usage.connectionType, usage.anonymity, undefined);
  const exit = EXIT_LISTS.find((name) => isListed(data, name, words));
  if (exit) return verdict("list", "proxy", exit, undefined);
  return isKnownRelay(words) ? verdict("asn-table", "proxy", "relay") : undefined;
}

type Owner = { organisation?: Organisation; usage?: ConnectionType };

/** The organisation that announces an address: from the operator's file, completed by the packaged table. */
function findOwner(data: NetworkData, canonical: string, words: AddressWords): Owner {
  const own = data.files.asn ? ownerIn(data.files.asn, canonical, words) : {};
  const packaged = data.asn && findOrganisation(data.asn, words);
  const usage = own.usage && { usage: own.usage };
  if (own.asn === undefined) return { ...(packaged && { organisation: packaged }), ...usage };
  // If a file has only the number, the name comes from the table, provided that both mean the same network.
  const name = own.provider ?? (packaged?.asn === own.asn ? packaged.name : "");
  return { organisation: { asn: own.asn, name }, ...usage };
}

function byNetwork(data: NetworkData, { organisation, usage }: Owner, words: AddressWords): Verdict {
  const concluded = organisation && classify(data.classByAsn, organisation);
  const isKnown = concluded?.source === "asn-table";
  if (concluded && isKnown && concluded.type !== "unknown")
    return verdict("asn-table", concluded.type, concluded.anonymity, undefined);
  if (isListed(data, "cloud", words)) return verdict("list", "hosting", undefined, "cloud");
  if (isKnown) return UNKNOWN;
  if (usage) return verdict("operator-file", usage, undefined, undefined);
  return concluded && concluded.type !== "unknown"
    ? verdict("name", concluded.type, concluded.anonymity, concluded.term)
    : UNKNOWN;
}

function classifyIn(data: NetworkData, canonical: string, words: AddressWords): NetworkFacts {
  const owner = findOwner(data, canonical, words);
  return {
    ...(owner.organisation && { asn: owner.organisation.asn }),
    ...(owner.organisation && owner.organisation.name !== "" && { provider: owner.organisation.name }),
    ...(byAddress(data, canonical, words) ?? byNetwork(data, owner, words)),
  };
}

/**
 * Finds the organisation that announces an address, and classifies its network. Cached, since matching and the Report
 * of one visit both ask.
 */
export function classifyAddress(data: NetworkData, canonical: string, words: AddressWords): Readonly<NetworkFacts> {
  const known = data.classByAddress.get(canonical);
  if (known !== undefined) return known;
  const facts = classifyIn(data, canonical, words);
  data.classByAddress.set(canonical, facts);
  return facts;
}

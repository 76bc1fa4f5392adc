import type { Report } from "@/lib/contract/report";
import { FEATURES, FONTS } from "@/lib/contract/signal-lists";
import type { Signals } from "@/lib/contract/signals";
import type { Facts } from "./compare-facts";

const MAX_CHARACTERS = 300;

const cut = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);

const textOf = (value: unknown): string => cut(typeof value === "string" ? value : JSON.stringify(value));

/** Entries of a list whose bits are set. */
function listed(bitmap: unknown, list: readonly string[]): string {
  if (typeof bitmap !== "string") return "";
  return cut(list.filter((_, at) => bitmap.charAt(at) === "1").join(", "));
}

const BITMAPS: Readonly<Record<string, readonly string[]>> = { features: FEATURES, fonts: FONTS };

/** All raw signal values by name. A group that was not read has its state as value. */
export function signalFacts(signals: Signals): Facts {
  const facts = new Map<string, string>();
  for (const [group, read] of Object.entries(signals)) {
    if (read === undefined) continue;
    const name = `signals.${group}`;
    if (read.state !== "ok") {
      facts.set(name, read.state);
      continue;
    }
    const { value } = read;
    const bitmap = BITMAPS[group];
    if (bitmap) facts.set(name, listed(value, bitmap));
    else if (typeof value === "object" && !Array.isArray(value))
      for (const [member, of] of Object.entries(value))
        if (of !== undefined) facts.set(`${name}.${member}`, textOf(of));
        else facts.set(name, textOf(value));
  }
  return facts;
}

/** Headers that are added by proxies and name their networks. */
const OF_NETWORKS = new Set(["via"]);

/** Values of the request, apart from the signals. */
export function requestFactsOf(request: Readonly<Record<string, unknown>>, placesVisible: boolean): Facts {
  const facts = new Map<string, string>();
  for (const [name, value] of Object.entries(request))
    if (value !== undefined && (placesVisible || !OF_NETWORKS.has(name))) facts.set(`request.${name}`, textOf(value));
  return facts;
}

/** Values of a Report apart from its verdict. Has no places if the reader may not see them. */
export function reportFacts({ browser, operating_system: system, network, device }: Report): Facts {
  const values: [string, string | number | boolean | undefined][] = [
    ["device", device.id],
    ["browser.name", browser.name],
    ["browser.version", browser.version],
    ["operating_system.name", system.name],
    ["operating_system.version", system.version],
    ["network.observed_ip", network.observed_ip],
    ["network.alternate_ip", network.alternate_ip],
    ["network.ip_consistency", network.ip_consistency],
    ["network.country", network.country_code],
    ["network.city", network.location?.city],
    ["network.timezone", network.location?.timezone],
    ["network.provider", network.provider],
    ["network.asn", network.asn],
    ["network.connection_type", network.connection_type],
    ["network.proxy_detected", network.proxy_detected],
  ];
  return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const])));
}

const NETWORK_RULES = /^network\./;

/** Assigns the network rules that fired to all network values, which they compare. */
export function readsOfNetwork(ruleIds: readonly string[], facts: Facts): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Set(ruleIds.filter((id) => NETWORK_RULES.test(id)));
  return new Map([...facts.keys()].filter((name) => NETWORK_RULES.test(name)).map((name) => [name, found] as const));
}

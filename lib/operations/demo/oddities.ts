import type { Signals } from "@/lib/contract/signals";
import { type Visit } from "@/lib/visits/risk";

type Navigator = Extract<Signals["navigator"], { state: "ok" }>["value"];

const withNavigator = (visit: Visit, changes: Partial<Navigator>): Visit => {
  const { navigator } = visit.signals;
  if (navigator?.state !== "ok") return visit;
  const value = { ...navigator.value, ...changes };
  return { ...visit, signals: { ...visit.signals, navigator: { state: "ok", value } } };
};

function withOlderHints(visit: Visit): Visit {
  const { uaData } = visit.signals;
  if (uaData?.state !== "ok") return visit;
  const brands = (uaData.value.brands ?? []).map((each) => ({ ...each, version: "131" }));
  return { ...visit, signals: { ...visit.signals, uaData: { state: "ok", value: { ...uaData.value, brands } } } };
}

/** Inconsistencies, each of which triggers one browser rule. */
export const ODDITIES = {
  automated: (visit: Visit) => withNavigator(visit, { webdriver: true }),
  olderHints: withOlderHints,
  otherEngine: (visit: Visit) => withNavigator(visit, { vendor: "", productSub: "20100101" }),
  otherSystem: (visit: Visit) => withNavigator(visit, { platform: "Linux x86_64" }),
  touchedMac: (visit: Visit) => withNavigator(visit, { maxTouchPoints: 5 }),
  withoutHints: (visit: Visit): Visit => ({ ...visit, signals: { ...visit.signals, uaData: { state: "absent" } } }),
} as const satisfies Record<string, (visit: Visit) => Visit>;

export type Oddity = keyof typeof ODDITIES;

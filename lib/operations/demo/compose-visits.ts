import type { Activity } from "@/lib/contract/report";
import { decidedRecognition, type IdentityRecord } from "@/lib/visits/devices";
import { newId, newImprint } from "@/lib/contract/ids";
import { assessFacts } from "@/lib/visits/network";
import { completeReport, composeReport } from "@/lib/visits/reports";
import { assessRisk, identify } from "@/lib/visits/risk";
import { ordinaryVisit } from "./browsers";
import type { Chance } from "./domain/chance";
import { ODDITIES } from "./oddities";
import type { PlannedVisit } from "./plan-visits";

type Seen = { at: number; address: string; country: string };

export type DemoDevice = {
  deviceId: string;
  browserFamily: string;
  osFamily: string;
  first: Date;
  last: Date;
  previous: Date | undefined;
  visits: Seen[];
};

const WINDOWS = { "5m": 5, "1h": 60, "24h": 24 * 60 } as const;
const MINUTE_MS = 60_000;

function activityOf({ visits, last }: DemoDevice): Activity {
  const window = (minutes: number) => {
    const within = visits.filter(({ at }) => at > last.getTime() - minutes * MINUTE_MS);
    const distinct = (values: string[]) => new Set(values.filter((value) => value !== "")).size;
    return {
      events: within.length,
      distinct_ips: distinct(within.map(({ address }) => address)),
      distinct_countries: distinct(within.map(({ country }) => country)),
    };
  };
  return { "5m": window(WINDOWS["5m"]), "1h": window(WINDOWS["1h"]), "24h": window(WINDOWS["24h"]) };
}

/** The recorded recognition of the device. */
function identityOf(planned: PlannedVisit, isFirst: boolean, chance: Chance): IdentityRecord {
  if (isFirst) return { by: "evidence", outcome: "new", because: "unknown_model", confidence: 0, evidence: [] };
  if (!planned.isWithoutToken) return { by: "token" };
  return {
    by: "evidence",
    outcome: "linked",
    confidence: 0.971 + chance.next() * 0.019,
    evidence: [
      { fact: "locale", text: "same languages and time zone", factor: 1 },
      { fact: "screen", text: "same screen", factor: 1 },
      { fact: "fonts", text: "same fonts", factor: 1 },
    ],
  };
}

/** Returns the device of a planned visit, updated by that visit. */
function advance(
  known: DemoDevice | undefined,
  at: Date,
  seen: Omit<Seen, "at">,
  families: [string, string],
): DemoDevice {
  const [browserFamily, osFamily] = families;
  const device = known ?? {
    ...{ deviceId: newId("device"), browserFamily, osFamily, first: at, last: at },
    previous: undefined,
    visits: [],
  };
  // As in the service, a device's event times are strictly increasing.
  const next = known && at <= known.last ? new Date(known.last.getTime() + 1) : at;
  device.previous = known?.last;
  device.last = next;
  device.visits.push({ at: next.getTime(), ...seen });
  return device;
}

export type DemoVisit = ReturnType<typeof composeVisit>;

function composeVisit(planned: PlannedVisit, devices: Map<number, DemoDevice>, chance: Chance) {
  const ordinary = ordinaryVisit(planned.browser, planned.timeZone);
  const visit = planned.oddity === undefined ? ordinary : ODDITIES[planned.oddity](ordinary);
  const identity = identify(visit);
  const observed = planned.network;
  const facts = { observed, challenge: planned.challenge ?? observed, probed: planned.probed ?? { evidence: [] } };
  const network = assessFacts(facts, { timeZone: planned.timeZone, isHidden: false }, planned.at);
  const risk = assessRisk(visit, { extraFindings: network.findings, identity, agent: planned.agent });
  const device = advance(
    devices.get(planned.device),
    planned.at,
    { address: observed.address ?? "", country: observed.countryCode ?? "" },
    [identity.browser.family, identity.operatingSystem.family],
  );
  devices.set(planned.device, device);
  const imprint = newImprint(device.last.getTime());
  const recognition = identityOf(planned, device.visits.length === 1, chance);
  const report = completeReport(composeReport({ imprint, identity, risk, network }), {
    createdAt: device.last.toISOString(),
    deviceId: device.deviceId,
    isSeenBefore: device.visits.length > 1,
    accessCount: device.visits.length,
    firstSeenAt: device.first.toISOString(),
    previousSeenAt: device.previous?.toISOString() ?? null,
    activity: activityOf(device),
  });
  return {
    planned,
    imprint,
    deviceId: device.deviceId,
    recordedAt: device.last,
    accessCount: device.visits.length,
    report,
    rulesVersion: risk.rulesVersion,
    recognition: decidedRecognition(recognition),
    evidence: {
      risk: risk.evidence,
      profile: risk.profile,
      identity: recognition,
      network: observed.evidence,
      ...(planned.agent && { agent: planned.agent }),
    },
    signals: { signals: visit.signals, request: visit.request },
  };
}

/** Converts planned visits to stored form, evaluated by the service's rules. */
export function composeVisits(planned: readonly PlannedVisit[], chance: Chance) {
  const devices = new Map<number, DemoDevice>();
  const visits = planned.map((each) => composeVisit(each, devices, chance));
  return { visits, devices: [...devices.values()] };
}

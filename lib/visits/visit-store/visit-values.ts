import { eventIdFloor } from "@/db/partitions";
import type { Values } from "@/db/prepared";
import { idToUuid } from "@/lib/contract/ids";
import type { DecidedRecognition, Recognition } from "@/lib/visits/devices/domain/recognition";
import type { TokenTurn } from "@/lib/visits/devices/domain/token-generation";
import { PICTURE_WINDOW } from "@/lib/visits/repeats/domain/evaluate-repeat";
import type { Payload } from "@/lib/visits/repeats/domain/payload";
import type { ComposedReport } from "@/lib/visits/reports/domain/whole-report";
import { packJson } from "./pack-json";

const MINUTE_MS = 60_000;

/** Data for appending a visit to its device. */
export type DeviceVisit = {
  workspaceId: string;
  challenge: { nonce: string; bodyHash: Uint8Array; eventId: string };
  recognition: Recognition;
  /** Changes to a token that was already bound. */
  tokenTurn?: TokenTurn | undefined;
  browserFamily: string;
  osFamily: string;
};

export function deviceValues(visit: DeviceVisit): Values {
  const { workspaceId, challenge, recognition, tokenTurn, browserFamily, osFamily } = visit;
  const { linkedDeviceId, newDeviceId, tokenId, profile, place, shadow } = recognition;
  return {
    workspace: idToUuid(workspaceId),
    nonce: challenge.nonce,
    bodyHash: challenge.bodyHash,
    event: idToUuid(challenge.eventId),
    linkedDevice: linkedDeviceId && idToUuid(linkedDeviceId),
    newDevice: idToUuid(newDeviceId),
    token: tokenId,
    ...tokenTurn,
    profile: profile && JSON.stringify(profile),
    network: place?.network,
    model: place?.model,
    stratum: place?.stratum ?? null,
    agreed: Number(shadow === "agreed"),
    missed: Number(shadow === "missed"),
    wrong: Number(shadow === "wrong"),
    browserFamily,
    osFamily,
  };
}

/** A visit to be stored. */
export type NewVisit = {
  workspaceId: string;
  eventId: string;
  webAppId: string;
  surface: string;
  origin: string;
  address: string | undefined;
  countryCode: string | undefined;
  asn: number | undefined;
  report: ComposedReport;
  rulesVersion: string;
  /** Fired rules without duplicates. */
  rules: readonly { ruleId: string; isObserved: boolean }[];
  recognition: DecidedRecognition;
  /** Name of the verified agent that made the visit. */
  agent: string | undefined;
  evidence: unknown;
  signals: unknown;
  /** End of the webhook message, if the workspace has endpoints subscribed to visits. */
  messageEnd: string | undefined;
};

/** Placeholder name for a field's JSON text in a Report. */
export const composedField = (field: string): string => `report_${field}`;

export const visitValues = ({ report, ...visit }: NewVisit): Values => ({
  workspace: idToUuid(visit.workspaceId),
  event: idToUuid(visit.eventId),
  webApp: idToUuid(visit.webAppId),
  surface: visit.surface,
  origin: visit.origin,
  address: visit.address ?? null,
  visitCountry: visit.countryCode ?? null,
  asn: visit.asn ?? null,
  connectionType: report.network.connection_type ?? null,
  status: report.risk.status,
  reasons: `{${report.risk.reasons.join()}}`,
  rules: `{${visit.rules.flatMap(({ ruleId, isObserved }) => (isObserved ? [] : [ruleId])).join()}}`,
  browserName: report.browser.name ?? null,
  osName: report.operating_system.name ?? null,
  rulesVersion: visit.rulesVersion,
  ruleIds: `{${visit.rules.map(({ ruleId }) => ruleId).join()}}`,
  rulesObserved: `{${visit.rules.map(({ isObserved }) => isObserved).join()}}`,
  recognition: visit.recognition.by,
  confidence: visit.recognition.confidence ?? null,
  agent: visit.agent ?? null,
  messageEnd: visit.messageEnd,
  evidence: packJson("evidence", visit.evidence),
  signals: packJson("signals", visit.signals),
  ...Object.fromEntries(Object.entries(report).map(([field, value]) => [composedField(field), JSON.stringify(value)])),
});

/** Activity windows of a device, in minutes. */
export const WINDOWS = { "5m": 5, "1h": 60, "24h": 24 * 60 } as const;
export type Window = keyof typeof WINDOWS;

/** Allowed combined difference between two processes' clocks and the database's: event ids use the process clock. */
const CLOCK_SKEW_MINUTES = 10;

export const floorName = (window: Window) => `floor_${window}`;

/** Where and when an event came from, by the process clock. */
export type Place = { address: string | undefined; countryCode: string | undefined; now: Date };

/** Bounds of event ids for the windows before a time, by placeholder name. */
function windowBounds(at: number): Values {
  const eventFloor = (minutes: number) => eventIdFloor(new Date(at + minutes * MINUTE_MS));
  const floors = Object.entries(WINDOWS).map(([window, minutes]): [string, string] => [
    floorName(window as Window), // a key of WINDOWS
    eventFloor(-minutes - CLOCK_SKEW_MINUTES),
  ]);
  return { ...Object.fromEntries(floors), ceiling: eventFloor(CLOCK_SKEW_MINUTES) };
}

/** Recomputed once per second, which is far less than the clock allowance. */
let bounds: { second: number; values: Values } = { second: -1, values: {} };

export function placeValues({ address, countryCode = "", now }: Place): readonly Values[] {
  const second = Math.floor(now.getTime() / 1000);
  if (bounds.second !== second) bounds = { second, values: windowBounds(second * 1000) };
  return [{ address: address ?? null, country: countryCode }, bounds.values];
}

/** How long a network counts as one of a token's networks. */
const NETWORKS_MINUTES = 12 * 60;

/** The digests of what a visit sent, and the event ids from which earlier visits are compared. */
export function payloadValues({ digests }: Payload, now: Date): Values {
  const floorAt = (minutes: number) => eventIdFloor(new Date(now.getTime() - minutes * MINUTE_MS));
  return {
    payloadKind: digests.kind,
    payloadDurations: digests.durations,
    payloadAllDurations: digests.allDurations,
    payloadToken: digests.token,
    payloadNetwork: digests.network,
    payloadPicture: digests.picture,
    pictureFloor: floorAt(PICTURE_WINDOW.minutes),
    networkFloor: floorAt(NETWORKS_MINUTES),
  };
}

/** The address at which a token is presented, if known. */
export const tokenUseValues = (address: string | undefined): Values => ({ presentedAt: address ?? null });

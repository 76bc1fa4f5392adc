import { eventIdFloor } from "@/db/partitions";
import type { Values } from "@/db/prepared";
import { idToUuid } from "@/lib/contract/ids";
import type { DecidedRecognition, Recognition } from "@/lib/visits/devices/domain/recognition";
import type { TokenTurn } from "@/lib/visits/devices/domain/token-generation";
import { PICTURE_WINDOW, RUN_WINDOW } from "@/lib/visits/repeats/domain/evaluate-repeat";
import type { Payload } from "@/lib/visits/repeats/domain/payload";
import { ComposedReport } from "@/lib/visits/reports/domain/whole-report";
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

/**
 * Types of the columns of a visit's record, which is sent as one JSON object. JSON values are sent as text, so that they
 * are stored as they were composed.
 */
export const RECORD_COLUMNS = {
  event: "uuid",
  nonce: "uuid",
  body_hash: "bytea",
  linked_device: "uuid",
  new_device: "uuid",
  token: "uuid",
  is_token_known: "boolean",
  is_token_turned: "boolean",
  generation: "int",
  is_offered: "boolean",
  is_reused: "boolean",
  profile: "text",
  network: "bigint",
  model: "bigint",
  stratum: "text",
  agreed: "int",
  missed: "int",
  wrong: "int",
  browser_family: "text",
  os_family: "text",
  payload_kind: "bigint",
  payload_durations: "bigint",
  payload_all_durations: "bigint",
  payload_token: "bigint",
  payload_network: "bigint",
  payload_picture: "bigint",
  appended_device: "uuid",
  web_app: "uuid",
  surface: "text",
  origin: "text",
  address: "inet",
  country: "text",
  asn: "bigint",
  connection_type: "text",
  status: "text",
  reasons: "text[]",
  rules: "text[]",
  browser_name: "text",
  os_name: "text",
  rules_version: "text",
  rule_ids: "text[]",
  rules_observed: "boolean[]",
  recognition: "text",
  confidence: "real",
  agent: "text",
  message_end: "text",
  evidence_base64: "text",
  signals_base64: "text",
} as const;

/** Column for a field's JSON text in a Report. */
export const composedColumn = (field: string): string => `report_${field}`;

/** A visit, or the part of it that a statement needs, as columns of `RECORD_COLUMNS`; those that are missing are null. */
export type VisitRecord = Readonly<Partial<Record<keyof typeof RECORD_COLUMNS | `report_${string}`, unknown>>>;

/** The ids of a visit that was appended to its device before. */
export const idsOf = (deviceId: string, eventId: string): VisitRecord => ({
  event: idToUuid(eventId),
  appended_device: idToUuid(deviceId),
});

export function deviceRecord(visit: DeviceVisit): VisitRecord {
  const { challenge, recognition, tokenTurn, browserFamily, osFamily } = visit;
  const { linkedDeviceId, newDeviceId, tokenId, isTokenKnown, profile, place, shadow } = recognition;
  return {
    event: idToUuid(challenge.eventId),
    nonce: challenge.nonce,
    body_hash: `\\x${Buffer.from(challenge.bodyHash).toString("hex")}`,
    linked_device: linkedDeviceId && idToUuid(linkedDeviceId),
    new_device: idToUuid(newDeviceId),
    token: tokenId,
    is_token_known: isTokenKnown,
    is_token_turned: isTokenKnown && tokenTurn !== undefined,
    generation: tokenTurn?.generation,
    is_offered: tokenTurn?.isOffered,
    is_reused: tokenTurn?.isReused,
    profile: profile && JSON.stringify(profile),
    network: place?.network,
    model: place?.model,
    stratum: place?.stratum,
    agreed: Number(shadow === "agreed"),
    missed: Number(shadow === "missed"),
    wrong: Number(shadow === "wrong"),
    browser_family: browserFamily,
    os_family: osFamily,
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

export const visitRecord = (visit: NewVisit): VisitRecord => ({
  web_app: idToUuid(visit.webAppId),
  surface: visit.surface,
  origin: visit.origin,
  address: visit.address,
  country: visit.countryCode,
  asn: visit.asn,
  connection_type: visit.report.network.connection_type,
  status: visit.report.risk.status,
  reasons: visit.report.risk.reasons,
  rules: visit.rules.flatMap(({ ruleId, isObserved }) => (isObserved ? [] : [ruleId])),
  browser_name: visit.report.browser.name,
  os_name: visit.report.operating_system.name,
  rules_version: visit.rulesVersion,
  rule_ids: visit.rules.map(({ ruleId }) => ruleId),
  rules_observed: visit.rules.map(({ isObserved }) => isObserved),
  recognition: visit.recognition.by,
  confidence: visit.recognition.confidence,
  agent: visit.agent,
  message_end: visit.messageEnd,
  evidence_base64: packJson("evidence", visit.evidence).toString("base64"),
  signals_base64: packJson("signals", visit.signals).toString("base64"),
});

const REPORT_COLUMNS = ComposedReport.keyof().options.map((field) => [field, composedColumn(field)] as const);

/** The fields of a visit's Report, each as its JSON text. */
export const reportRecord = ({ report }: NewVisit): VisitRecord =>
  Object.fromEntries(REPORT_COLUMNS.map(([field, column]) => [column, JSON.stringify(report[field])]));

/** Activity windows of a device, in minutes. */
export const WINDOWS = { "5m": 5, "1h": 60, "24h": 24 * 60 } as const;
export type Window = keyof typeof WINDOWS;

/** Allowed combined difference between two processes' clocks and the database's: event ids use the process clock. */
const CLOCK_SKEW_MINUTES = 10;

export const floorName = (window: Window) => `floor_${window}`;

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

/** Bounds of event ids for the windows before now, by the process clock. */
export function boundsAt(now: Date): Values {
  const second = Math.floor(now.getTime() / 1000);
  if (bounds.second !== second) bounds = { second, values: windowBounds(second * 1000) };
  return bounds.values;
}

/** How long a network counts as one of a token's networks. */
const NETWORKS_MINUTES = 12 * 60;

const floorAt = (now: Date, minutes: number): string => eventIdFloor(new Date(now.getTime() - minutes * MINUTE_MS));

/** The event ids from which the pictures and the durations of earlier visits are compared. */
export const latestFloors = (now: Date): Values => ({
  pictureFloor: floorAt(now, PICTURE_WINDOW.minutes),
  runFloor: floorAt(now, RUN_WINDOW.days * 24 * 60),
});

/** The digests of what a visit sent, and the event ids from which earlier visits are compared. */
export const payloadValues = ({ digests }: Payload, now: Date): Values => ({
  payloadKind: digests.kind,
  payloadDurations: digests.durations,
  payloadAllDurations: digests.allDurations,
  payloadToken: digests.token,
  payloadNetwork: digests.network,
  payloadPicture: digests.picture,
  networkFloor: floorAt(now, NETWORKS_MINUTES),
  ...latestFloors(now),
});

export const payloadRecord = ({ digests }: Payload): VisitRecord => ({
  payload_kind: digests.kind,
  payload_durations: digests.durations,
  payload_all_durations: digests.allDurations,
  payload_token: digests.token,
  payload_network: digests.network,
  payload_picture: digests.picture,
});

/** The address at which a token is presented, if known. */
export const tokenUseValues = (address: string | undefined): Values => ({ presentedAt: address ?? null });

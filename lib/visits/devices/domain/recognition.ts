import type { RECOGNITIONS } from "@/lib/contract/report";
import type { EvidenceMatch, NoLink } from "./match-device";
import type { DeviceProfile } from "./profile";

/** Network and model as `network_tokens` has them, and the stratum of a token that is new. */
type TokenPlace = { network: string; model: string; stratum: string | undefined };

/** What was decided about a visit before it is written. */
export type Recognition = {
  /** Hex id of a verified token that may be bound; in place of a copied one, that of the token which replaces it. */
  tokenId: string | undefined;
  /** Whether the token was bound before: it decides then. */
  isTokenKnown: boolean;
  /** The device that the evidence leads to. A token that is bound when the visit is written takes precedence. */
  linkedDeviceId: string | undefined;
  /** Identity that a new device gets. */
  newDeviceId: string;
  /** The profile to store; nothing when it is stored already. */
  profile: DeviceProfile | undefined;
  /** Where the token was seen; nothing without a network that tells something. */
  place: TokenPlace | undefined;
  /** Whether the evidence alone would have led to the token's device, to a new one or to another. */
  shadow: "agreed" | "missed" | "wrong" | undefined;
};

/** How a visit's device was found: stored with the visit, for the Console. */
export type IdentityRecord =
  | { by: "token" }
  | ({ by: "evidence"; because?: NoLink; copiedToken?: { contradiction: string; deviceId: string } } & Pick<
      EvidenceMatch,
      "outcome" | "confidence" | "evidence"
    >);

/** How a visit's device was found, as the headers of its Report say it. */
export type DecidedRecognition = {
  by: (typeof RECOGNITIONS)[number];
  /** Of a link by evidence: from 0 to 1. */
  confidence?: number;
};

/** The short form of a record. */
export function decidedRecognition(record: IdentityRecord): DecidedRecognition {
  if (record.by === "token") return { by: "token" };
  return record.outcome === "linked" ? { by: "evidence", confidence: record.confidence } : { by: "new" };
}

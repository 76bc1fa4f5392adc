import type { RECOGNITIONS } from "@/lib/contract/report";
import type { EvidenceMatch, NoLink } from "./match-device";
import type { DeviceProfile } from "./profile";

/** Network and model keys as stored in `network_tokens`, and the stratum of a token that is new there. */
type TokenPlace = { network: string; model: string; stratum: string | undefined };

/** The decision about a visit, before it is stored. */
export type Recognition = {
  /** Hex id of a verified token that may be bound. If the token was copied, the id of its replacement. */
  tokenId: string | undefined;
  /** Whether the token was already bound, in which case it decides. */
  isTokenKnown: boolean;
  /**
   * Device that the evidence points to. If the token has been bound by the time the visit is written, the token takes
   * precedence.
   */
  linkedDeviceId: string | undefined;
  /** Id that a new device receives. */
  newDeviceId: string;
  /** Profile to store. Undefined if it is already stored. */
  profile: DeviceProfile | undefined;
  /** Where the token was seen. Undefined if the network is unknown or shared by many strangers. */
  place: TokenPlace | undefined;
  /** Whether the evidence alone would have found the token's device, a new one or a different one. */
  shadow: "agreed" | "missed" | "wrong" | undefined;
};

/** How the visit's device was found, as stored with the visit for the Console. */
export type IdentityRecord =
  | { by: "token" }
  | ({ by: "evidence"; because?: NoLink; copiedToken?: { contradiction: string; deviceId: string } } & Pick<
      EvidenceMatch,
      "outcome" | "confidence" | "evidence"
    >);

/** How the visit's device was found, as reported in the headers of its Report. */
export type DecidedRecognition = {
  by: (typeof RECOGNITIONS)[number];
  /** Confidence of a link by evidence, 0 to 1. */
  confidence?: number;
};

/** Short form of an identity record. */
export function decidedRecognition(record: IdentityRecord): DecidedRecognition {
  if (record.by === "token") return { by: "token" };
  return record.outcome === "linked" ? { by: "evidence", confidence: record.confidence } : { by: "new" };
}

/** Does not import zod, because the server package imports this file. Frozen by its first release. */

/**
 * The header in which a proxy of the site says for whom it forwards a challenge or a submission:
 * `v1.KEY.TIME.PAYLOAD.MAC`. KEY is the id of the site's API key, TIME is in Unix seconds, PAYLOAD is a `VisitorPayload` as
 * JSON in base64url, MAC is the base64url of HMAC-SHA-256 over `visitorText`, keyed with the text of the signing secret.
 */
export const VISITOR_HEADER = "imprint-visitor";

type Signed = {
  /** Path of the operation on the service, without scheme and host. */
  path: string;
  /** SHA-256 of the body's bytes in hex. */
  bodyDigest: string;
  keyId: string;
  time: number | string;
  payload: string;
};

/** The text covered by the MAC in `VISITOR_HEADER`. */
export const visitorText = ({ path, bodyDigest, keyId, time, payload }: Signed): string =>
  ["imprint-visitor v1", path, bodyDigest, keyId, time, payload].join("\n");

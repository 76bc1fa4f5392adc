/** Does not import zod, because the package for servers imports this file. Frozen by its first release. */

/**
 * The header in which a proxy of the site tells for whom it forwards a challenge or a submission:
 * `v1.KEY.TIME.PAYLOAD.MAC`. KEY is the id of the site's API key, TIME Unix seconds, PAYLOAD a `VisitorPayload` as JSON
 * in base64url, MAC the base64url of HMAC-SHA-256 over `visitorText` under the text of the key's signing secret.
 */
export const VISITOR_HEADER = "imprint-visitor";

type Signed = {
  /** Path of the operation at the service, without the address of the service. */
  path: string;
  /** SHA-256 of the body's bytes in hex. */
  bodyDigest: string;
  keyId: string;
  time: number | string;
  payload: string;
};

/** The text that the MAC of a `VISITOR_HEADER` covers. */
export const visitorText = ({ path, bodyDigest, keyId, time, payload }: Signed): string =>
  ["imprint-visitor v1", path, bodyDigest, keyId, time, payload].join("\n");

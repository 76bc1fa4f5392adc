import type { Random } from "../../common/random";
import type { Place, Submission } from "../submissions/submissions";

const BUSY_ADDRESSES = 16_384;

type Headers = Record<string, string>;

const head = (line: string, headers: Headers) =>
  [`${line} HTTP/1.1`, "Host: bench", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(
    "\r\n",
  );

export const reportRequest = (imprint: string, key: string, account?: string): string =>
  `${head(`GET /api/v1/fingerprint/report/${imprint}`, {
    "X-API-Key": key,
    ...(account !== undefined && { "X-Account-Ref": account }),
  })}\r\n\r\n`;

export const postTo = (path: string, headers: Headers, body: string): string =>
  `${head(`POST ${path}`, { ...headers, "Content-Length": String(Buffer.byteLength(body)) })}\r\n\r\n${body}`;

export const submissionRequest = ({ address, headers, body }: Submission): string =>
  postTo("/api/v1/imprints", { ...headers, "x-forwarded-for": address }, body);

export function challengeRequest({ environmentId, origin }: Place, random: Random): string {
  const place = random.below(BUSY_ADDRESSES);
  const headers = { Origin: origin, "X-Forwarded-For": `87.128.${place >> 8}.${place & 255}` };
  return postTo("/api/v1/imprints/challenge", headers, JSON.stringify({ environment_id: environmentId }));
}

import { composeExactly } from "@/lib/contract/challenge-proof";
import { issueDeviceToken } from "@/lib/visits/devices";
import captured from "@/lib/visits/risk/captures/chromium.json";
import { createChallenge } from "@/lib/visits/submissions/challenge";
import type { Random } from "../../common/random";
import { type Sample, visitAt } from "../match/sample";

/** Where the requests of the bench belong. */
export type Place = { workspaceId: string; environmentId: string; origin: string };

/** Devices that come again, and the share of visits that are of one that does not. */
const RETURNING = 3_000;
const STRANGERS = 0.3;
const ALL_DEVICES = 1_000_000;
const BUSY_ADDRESSES = 16_384;

/** Signals that tell which browser it was: a drawn device has its own. */
const OF_ONE_BROWSER = new Set(["worker", "iframe", "uaData"]);
/** The rest of what a real browser sent. */
const CAPTURED = Object.fromEntries(Object.entries(captured.signals).filter(([name]) => !OF_ONE_BROWSER.has(name)));

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

export function challengeRequest({ environmentId, origin }: Place, random: Random): string {
  const place = random.below(BUSY_ADDRESSES);
  const headers = { Origin: origin, "X-Forwarded-For": `87.128.${place >> 8}.${place & 255}` };
  return postTo("/api/v1/imprints/challenge", headers, JSON.stringify({ environment_id: environmentId }));
}

/** What the generator does not know of a browser is left out. */
const withoutNull = (_name: string, value: unknown): unknown => (value === null ? undefined : value);

/** Submissions as browsers send them: of devices that return with their token, and of new ones. Each can be sent once. */
export function submissionMaker({ workspaceId, environmentId, origin }: Place, sample: Sample, random: Random) {
  const tokens = new Map<number, string>();
  function tokenOf(device: number): string {
    const token = tokens.get(device) ?? issueDeviceToken(workspaceId);
    if (device < RETURNING) tokens.set(device, token);
    return token;
  }
  return (): { headers: Headers; body: string } => {
    const device = random.chance(STRANGERS) ? random.below(ALL_DEVICES) : random.below(RETURNING);
    const { visit, address } = visitAt(sample, device);
    const { challenge } = createChallenge({ environmentId, origin }, address, new Date());
    return {
      headers: {
        Origin: origin,
        "X-Forwarded-For": address,
        "User-Agent": visit.request.userAgent ?? "",
        "Accept-Language": visit.request.acceptLanguage ?? "",
      },
      body: composeExactly({
        v: 1,
        environment_id: environmentId,
        challenge,
        token: tokenOf(device),
        signals: JSON.parse(JSON.stringify({ ...CAPTURED, ...visit.signals }, withoutNull)) as unknown,
        timings: { total: 80, challenge: 20, signals: {} },
      }),
    };
  };
}

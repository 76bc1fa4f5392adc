import { VISITOR_HEADER, visitorText } from "@/lib/contract/visitor-text";
import type { Incoming } from "./proxy-types";

export type SigningKey = {
  keyId: string;
  secret: string;
  /** What has to be added to this machine's clock to have the service's. */
  clockOffsetMs: number;
};

/** Headers whose values the service compares with the browser that the page names; of the others it gets the names. */
const READ =
  /^(?:host|origin|user-agent|accept|accept-encoding|accept-language|via|sec-.{1,60}|signature|signature-input|signature-agent|content-digest)$/;
const MAX_HEADERS = 60;
const MAX_NAME = 64;
const MAX_VALUE = 2000;
/** Characters of all values together: the header that they travel in has to stay far below 16 kB. */
const MAX_VALUES = 6000;

const encoder = new TextEncoder();

const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64url = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The visitor's headers as they came. A browser's are far below every limit here; what is beyond loses its value. */
function visitorHeaders({ headers }: Incoming): [name: string, value?: string][] {
  let room = MAX_VALUES;
  return headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => name.length <= MAX_NAME && !name.startsWith(":"))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => {
      if (!READ.test(name) || value.length > Math.min(MAX_VALUE, room)) return [name];
      room -= value.length;
      return [name, value];
    });
}

async function sign(secret: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

type Forwarded = {
  incoming: Incoming;
  address: string;
  /** What the proxy keeps as the visitor's token; undefined when the page keeps it. */
  token: string | undefined;
  /** Of the operation at the service. */
  path: string;
  body: Uint8Array<ArrayBuffer>;
};

/** The header that tells the service for whom a body is forwarded, bound to the body and to the moment. */
export async function visitorHeader(
  { keyId, secret, clockOffsetMs }: SigningKey,
  { incoming, address, token, path, body }: Forwarded,
): Promise<Record<string, string>> {
  const content = { address, ...(token !== undefined && { token }), headers: visitorHeaders(incoming) };
  const payload = base64url(encoder.encode(JSON.stringify(content)));
  const time = Math.floor((Date.now() + clockOffsetMs) / 1000);
  const bodyDigest = hex(await crypto.subtle.digest("SHA-256", body));
  const mac = await sign(secret, visitorText({ path, bodyDigest, keyId, time, payload }));
  return { [VISITOR_HEADER]: `v1.${keyId}.${time}.${payload}.${mac}` };
}

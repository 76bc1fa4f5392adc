import { createHash, createHmac } from "node:crypto";

import type { z } from "zod";

import type { VisitorPayload } from "@/lib/contract/visitor";
import { VISITOR_HEADER, visitorText } from "@/lib/contract/visitor-text";
import { call, type Site, submissionBody } from "./visits";

export const CHALLENGE_PATH = "/api/v1/imprints/challenge";
export const SUBMISSION_PATH = "/api/v1/imprints";

export type ProxyKey = { key_id: string; secret: string; issued_at: string; expires_at: string };
export type Payload = z.input<typeof VisitorPayload>;

export const requestProxyKey = (apiKey: string): Promise<Response> =>
  call("/api/v1/imprints/proxy-key", { method: "POST", headers: { "x-api-key": apiKey } });

export const proxyKeyOf = async ({ apiKey }: Pick<Site, "apiKey">): Promise<ProxyKey> =>
  (await (await requestProxyKey(apiKey)).json()) as ProxyKey;

type Signed = { path: string; body: string; payload: unknown; time?: number };

/** The header of a proxy that follows the documentation, independent of the product's code. */
export function signVisitor({ key_id: keyId, secret }: ProxyKey, { path, body, payload, time }: Signed): string {
  const seconds = time ?? Math.floor(Date.now() / 1000);
  const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
  const bodyDigest = createHash("sha256").update(body).digest("hex");
  const text = visitorText({ path, bodyDigest, keyId, time: seconds, payload: encoded });
  const mac = createHmac("sha256", secret).update(text).digest("base64url");
  return `v1.${keyId}.${seconds}.${encoded}.${mac}`;
}

/** Sends a body as a proxy at `from` does: with its own headers, and the visitor's under its signature. */
export const forward = (
  site: Pick<Site, "origin">,
  path: string,
  body: string,
  { signature, from = "203.0.113.200" }: { signature: string; from?: string },
): Promise<Response> =>
  call(path, {
    method: "POST",
    headers: { origin: site.origin, "user-agent": "node", accept: "*/*", [VISITOR_HEADER]: signature },
    body,
    address: from,
  });

/**
 * Makes a complete visit through a proxy that keeps the visitor's token; `pageToken` is an earlier token held by the
 * page.
 */
export async function visitThrough(site: Site, key: ProxyKey, payload: Payload, options: { pageToken?: string } = {}) {
  const { pageToken } = options;
  const send = async (path: string, body: string, token: string | undefined) => {
    const signature = signVisitor(key, { path, body, payload: { ...payload, token } });
    const response = await forward(site, path, body, { signature });
    return (await response.json()) as { challenge: string; imprint: string; token?: string };
  };
  const asked = JSON.stringify({ environment_id: site.environmentId, token: pageToken });
  const issued = await send(CHALLENGE_PATH, asked, payload.token);
  const kept = payload.token === undefined ? undefined : issued.token;
  const body = submissionBody(site, { challenge: issued.challenge, token: pageToken });
  const submitted = await send(SUBMISSION_PATH, body, kept);
  return { issued, submitted };
}

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { isUnder } from "./target";

const PERMISSIONS = ["camera", "microphone", "geolocation", "payment", "usb", "browsing-topics"]
  .map((feature) => `${feature}=()`)
  .join(", ");

const COMMON = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;
const COMMON_HTTPS = { ...COMMON, "Strict-Transport-Security": "max-age=31536000" } as const;

/** Headers of every answer, in addition to its request id. */
export const commonHeaders = (isHttps: boolean): Readonly<Record<string, string>> => (isHttps ? COMMON_HTTPS : COMMON);

export function setCommonHeaders(res: ServerResponse, requestId: string, isHttps: boolean): void {
  res.setHeader("X-Request-Id", requestId);
  for (const [name, value] of Object.entries(commonHeaders(isHttps))) res.setHeader(name, value);
}

/** Settings of a page's Content-Security-Policy. */
export type PagePolicy = {
  isDevelopment: boolean;
  /** `form-action` sources, which also apply to redirects of the answer; undefined allows any. */
  formTargets: string | undefined;
};

function contentPolicy(nonce: string, { isDevelopment, formTargets }: PagePolicy): string {
  const script = ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(isDevelopment ? ["'unsafe-eval'"] : [])];
  return [
    "default-src 'self'",
    `script-src ${script.join(" ")}`,
    // Development styles are injected by script and carry no nonce.
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Without this, style attributes rendered by the server (charts, highlighted code) are dropped.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    ...(formTargets === undefined ? [] : [`form-action ${formTargets}`]),
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Sets the headers of every document, in addition to its policy. */
function setDocumentHeaders(res: ServerResponse, openerPolicy: string): void {
  res.setHeader("Permissions-Policy", PERMISSIONS);
  res.setHeader("Cross-Origin-Opener-Policy", openerPolicy);
  res.setHeader("X-Frame-Options", "DENY");
}

/**
 * A client may open a page of the authorization server in a popup and watch it for the result, which `same-origin`
 * would prevent.
 */
const openerPolicyOf = (pathname: string) => (isUnder(pathname, "/oauth") ? "unsafe-none" : "same-origin");

/**
 * Sets the headers of everything that Next answers: any path can be answered with a page, if only the not-found page.
 * Next reads the nonce from the request header and puts it on every script that it renders.
 */
export function setPageHeaders(req: IncomingMessage, res: ServerResponse, pathname: string, policy: PagePolicy): void {
  const text = contentPolicy(randomBytes(16).toString("base64"), policy);
  req.headers["content-security-policy"] = text;
  res.setHeader("Content-Security-Policy", text);
  setDocumentHeaders(res, openerPolicyOf(pathname));
}

/** Policy for documents without one: nothing may be loaded, run or submitted. */
const BARE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Adds document headers to a handler's own answer, if it is HTML. */
export function protectDocument(res: ServerResponse, pathname: string, headers: Headers): void {
  if (!headers.get("content-type")?.startsWith("text/html")) return;
  setDocumentHeaders(res, openerPolicyOf(pathname));
  res.setHeader("Content-Security-Policy", BARE_POLICY);
}

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const PERMISSIONS = ["camera", "microphone", "geolocation", "payment", "usb", "browsing-topics"]
  .map((feature) => `${feature}=()`)
  .join(", ");

const COMMON = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;
const COMMON_HTTPS = { ...COMMON, "Strict-Transport-Security": "max-age=31536000" } as const;

/** Headers of every answer, besides its request id. */
export const commonHeaders = (isHttps: boolean): Readonly<Record<string, string>> => (isHttps ? COMMON_HTTPS : COMMON);

export function setCommonHeaders(res: ServerResponse, requestId: string, isHttps: boolean): void {
  res.setHeader("X-Request-Id", requestId);
  for (const [name, value] of Object.entries(commonHeaders(isHttps))) res.setHeader(name, value);
}

function contentPolicy(nonce: string, isDevelopment: boolean): string {
  const script = ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(isDevelopment ? ["'unsafe-eval'"] : [])];
  return [
    "default-src 'self'",
    `script-src ${script.join(" ")}`,
    // Development styles are injected by script and carry no nonce.
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Without it style attributes that the server rendered (charts, highlighted code) are dropped.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Headers of a page. Next reads the nonce from the request header and puts it on every script that it writes. */
export function setPageHeaders(req: IncomingMessage, res: ServerResponse, isDevelopment: boolean): void {
  const policy = contentPolicy(randomBytes(16).toString("base64"), isDevelopment);
  req.headers["content-security-policy"] = policy;
  res.setHeader("Content-Security-Policy", policy);
  res.setHeader("Permissions-Policy", PERMISSIONS);
  res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  res.setHeader("X-Frame-Options", "DENY");
}

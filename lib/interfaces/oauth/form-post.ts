import { createHash } from "node:crypto";

/** What oidc-provider 9.13 writes into the page that posts an answer to the client by a form. */
const SCRIPT = `
    document.addEventListener('DOMContentLoaded', function () { document.forms[0].submit() });
  `;
const scriptHash = createHash("sha256").update(SCRIPT).digest("base64");

/** The client's address, which the form leads to, may have any scheme. */
const POLICY = `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; frame-ancestors 'none'`;

/** Protects the page by which the library answers `response_mode=form_post`, the only one that has no policy. */
export function protectFormPost({ headers, status }: Response): void {
  const isPage = status === 200 && (headers.get("content-type")?.startsWith("text/html") ?? false);
  if (isPage && !headers.has("content-security-policy")) headers.set("Content-Security-Policy", POLICY);
}

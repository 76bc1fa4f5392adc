import { createHash } from "node:crypto";

/** The inline script of oidc-provider 9.13's page that posts a response to the client. */
const SCRIPT = `
    document.addEventListener('DOMContentLoaded', function () { document.forms[0].submit() });
  `;
const scriptHash = createHash("sha256").update(SCRIPT).digest("base64");

/** No `form-action`: the client's address may have any scheme. */
const POLICY = `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; frame-ancestors 'none'`;

/** Sets a Content-Security-Policy for the library's `response_mode=form_post` page, the only page without one. */
export function protectFormPost({ headers, status }: Response): void {
  const isPage = status === 200 && (headers.get("content-type")?.startsWith("text/html") ?? false);
  if (isPage && !headers.has("content-security-policy")) headers.set("Content-Security-Policy", POLICY);
}

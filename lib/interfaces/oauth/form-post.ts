import { createHash } from "node:crypto";

/** The script of oidc-provider 9.13 in the page that posts a response to the client. */
const SCRIPT = `
    document.addEventListener('DOMContentLoaded', function () { document.forms[0].submit() });
  `;
const scriptHash = createHash("sha256").update(SCRIPT).digest("base64");

/** No `form-action`: the client's address may have any scheme. */
const POLICY = `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; frame-ancestors 'none'`;

/** Sets a policy for the library's page of `response_mode=form_post`, the only one without. */
export function protectFormPost({ headers, status }: Response): void {
  const isPage = status === 200 && (headers.get("content-type")?.startsWith("text/html") ?? false);
  if (isPage && !headers.has("content-security-policy")) headers.set("Content-Security-Policy", POLICY);
}

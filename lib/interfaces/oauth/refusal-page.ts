import { createHash } from "node:crypto";

/** Advice by error code. */
const REMEDIES: Record<string, string> = {
  access_denied: "Clients cannot be connected to this service at present. Ask whoever runs it.",
  mcp_disabled: "Clients cannot be connected to this service at present. Ask whoever runs it.",
  invalid_client:
    "This service does not know the client any more. Remove the connection in the client and add it again.",
  document_unreachable:
    "This service could not reach the address at which the client describes itself. Connect once more in the client: it will now register itself instead, which needs no outgoing connection.",
  document_unreachable_for_now:
    "This service could not reach the address at which the client describes itself. Start again in the client in a minute. If that does not help, ask whoever runs this service whether it may reach that address.",
  documents_off:
    "This service does not fetch the documents in which clients describe themselves. Connect once more in the client: it will register itself instead.",
  invalid_redirect_uri: "The client asked for a redirect to an address that it did not register.",
  invalid_request: "The request of the client is not complete or not valid. Start again in the client.",
  invalid_target: "The client asked for access to something other than this service.",
  temporarily_unavailable: "Too many requests came from your network. Wait a minute and start again in the client.",
  server_error: "Something went wrong on our side. Start again in the client in a moment.",
};

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;font:15px/1.6 system-ui,sans-serif;background:#fbfcfd;color:#16191f}
main{max-width:26rem;margin:0 auto;padding:4rem 1rem}
h1{font-size:1.25rem;line-height:1.4;font-weight:600}
p{overflow-wrap:anywhere}
code{font:12px ui-monospace,monospace;color:#565c67}
@media (prefers-color-scheme:dark){body{background:#0b0e14;color:#eceef2}code{color:#a6abb5}}`;

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/**
 * The page for a request that cannot be redirected to the client, because the client is unknown or the redirect address
 * is not registered. It needs no scripts or other resources.
 */
export const refusalPage = {
  headers: {
    "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
  },
  html: (code: string, description: string | undefined): string =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Request refused · Imprint</title><style>${STYLE}</style></head>` +
    `<body><main><p>Imprint</p><h1>The client’s request was refused</h1><p>${escape(REMEDIES[code] ?? "Start again in the client.")}</p>` +
    `<p><code>${escape(description ? `${code}: ${description}` : code)}</code></p></main></body></html>`,
};

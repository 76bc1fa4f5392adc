import { createHash } from "node:crypto";

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;font:15px/1.6 system-ui,sans-serif;background:#fbfcfd;color:#16191f}
main{max-width:26rem;margin:0 auto;padding:4rem 1rem}
h1{font-size:1.25rem;line-height:1.4;font-weight:600}
p{overflow-wrap:anywhere}
a{color:#2350a9}
code{font:12px ui-monospace,monospace;color:#565c67}
@media (prefers-color-scheme:dark){body{background:#0b0e14;color:#eceef2}a{color:#9dbcf8}code{color:#a6abb5}}`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

export const PLAIN_PAGE_HEADERS = {
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-store",
};

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A page with a message. It needs no scripts or other resources. */
export const plainPage = ({ title, heading, html }: { title: string; heading: string; html: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Imprint</title><style>${STYLE}</style></head>` +
  `<body><main><p>Imprint</p><h1>${heading}</h1>${html}</main></body></html>`;

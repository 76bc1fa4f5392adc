/**
 * A small shop that asks Imprint about every sign-in. Plain Node with the package `imprint-server`.
 *
 * `public/sign-in.js` and the call of `acceptImprint` below are the two parts that an integration needs; `policy.mjs` is
 * the shop's own decision. All settings come from the environment:
 *
 *   IMPRINT_URL              address of the Imprint service
 *   IMPRINT_ENVIRONMENT_ID   public id of the Web App, `env_…`
 *   IMPRINT_KEY              secret server key, `svc_live_…`
 *   PORT                     port to listen on, default 4000
 *   SHOP_ORIGIN              origin of the shop's pages, default http://localhost:PORT
 *   SAMPLE_VISITORS          only for the demo: JSON list of { id, label, detail, endpoint }
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { createImprintServer } from "imprint-server";

import { resultPage } from "./pages/result.mjs";
import { messagePage, signInPage } from "./pages/sign-in.mjs";
import { decide } from "./policy.mjs";
import { createWire } from "./wire.mjs";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Answer
 */

const MAX_FORM_BYTES = 8 * 1024;
const DRAIN_MS = 3_000;

/** @param {string} name */
function required(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set. The first lines of examples/shop/server.mjs list the settings of the shop.`);
  process.exit(1);
}

const imprintUrl = required("IMPRINT_URL").replace(/\/+$/, "");
const environmentId = required("IMPRINT_ENVIRONMENT_ID");
const apiKey = required("IMPRINT_KEY");
const visitors = /** @type {import("./pages/sign-in.mjs").Visitor[]} */ (
  JSON.parse(process.env["SAMPLE_VISITORS"] || "[]")
);

/** @param {string} name @param {string} type */
const asset = (name, type) => ({ type, body: readFileSync(new URL(`public/${name}`, import.meta.url)) });
const ASSETS = new Map([
  ["/shop.css", asset("shop.css", "text/css; charset=utf-8")],
  ["/sign-in.js", asset("sign-in.js", "text/javascript; charset=utf-8")],
]);

/**
 * script-src and connect-src must contain Imprint's origin, and worker-src `blob:`; without the latter the component
 * still runs, but collects less. If they are missing, the browser blocks the component as an ad blocker would.
 *
 * @param {{ allowImprint: boolean }} options
 */
function contentPolicy({ allowImprint }) {
  const imprint = allowImprint ? ` ${new URL(imprintUrl).origin}` : "";
  return [
    "default-src 'none'",
    `script-src 'self'${imprint}`,
    `connect-src 'self'${imprint}`,
    "worker-src blob:",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** @param {Answer} res @param {number} status @param {string} html */
function send(res, status, html, { allowImprint = false } = {}) {
  res.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": contentPolicy({ allowImprint }),
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
  });
  res.end(html);
}

/** The fields of a form, or nothing when it is larger than any form of this shop. @param {Request} req */
async function readForm(req) {
  const chunks = /** @type {Buffer[]} */ ([]);
  let size = 0;
  for await (const chunk of /** @type {AsyncIterable<Buffer>} */ (req)) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Where the form was: "sign in again" keeps the settings of the demonstration. @param {Request} req */
function formAddress({ headers: { referer, host } }) {
  const came = referer !== undefined && URL.canParse(referer) ? new URL(referer) : undefined;
  return came && came.host === host && came.pathname === "/" ? `/${came.search}` : "/";
}

/** @param {Request} req @param {Answer} res */
async function signIn(req, res) {
  const form = await readForm(req);
  if (!form) {
    send(res, 413, messagePage("That form is too large", "Go back and try it again."));
    return;
  }
  // A real shop checks the password first. Imprint's Report supplements that check and never replaces it.
  const email = form.get("email") ?? "";
  const wire = createWire();
  const imprint = createImprintServer({ endpoint: imprintUrl, apiKey, fetch: wire.fetch });
  const visit = await imprint.acceptImprint(form.get("imprint"), { surface: "sign-in", origin: shopOrigin() });
  if (visit.accepted) console.log(JSON.stringify(visit.report));
  const [exchange, decision] = [wire.last(), decide(visit)];
  send(res, 200, resultPage({ email, form, visit, exchange, decision, back: formAddress(req) }));
}

/** Where the shop's pages are, as browsers call it. */
function shopOrigin() {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return process.env["SHOP_ORIGIN"] || `http://localhost:${port}`;
}

/** @param {URL} url @param {Answer} res */
function showForm(url, res) {
  const isBlocked = url.searchParams.get("component") === "blocked";
  const visitor = visitors.find(({ id }) => id === url.searchParams.get("visitor")) ?? visitors[0];
  send(res, 200, signInPage({ imprintUrl, environmentId, visitors, visitor, isBlocked }), { allowImprint: !isBlocked });
}

/** @param {Request} req @param {Answer} res */
async function answer(req, res) {
  const url = new URL(req.url ?? "/", "http://shop");
  const file = ASSETS.get(url.pathname);
  if (file && req.method === "GET") {
    res.writeHead(200, { "Content-Type": file.type, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" });
    res.end(file.body);
    return;
  }
  if (url.pathname === "/" && req.method === "GET") showForm(url, res);
  else if (url.pathname === "/sign-in" && req.method === "POST") await signIn(req, res);
  else send(res, 404, messagePage("Nothing grows here", "This page does not exist."));
}

const server = createServer((req, res) => {
  answer(req, res).catch((/** @type {unknown} */ error) => {
    console.error("the request failed:", error instanceof Error ? error.message : error);
    if (!res.headersSent) send(res, 500, messagePage("Something went wrong", "Please try again."));
    else res.destroy();
  });
});

function stop() {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => {
    server.closeAllConnections();
  }, DRAIN_MS).unref();
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);

server.once("error", (error) => {
  console.error(`The shop cannot listen on port ${process.env["PORT"]}: ${error.message}`);
  process.exit(1);
});
server.listen(Number(process.env["PORT"] ?? 4000), "localhost", () => {
  console.log(`Shop      ${shopOrigin()}`);
});

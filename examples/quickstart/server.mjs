import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { acceptSignIn } from "./report.mjs";

/**
 * Your decision: Imprint recommends none.
 *
 * @param {import("imprint-server").Acceptance} visit
 */
function decide(visit) {
  if (visit.accepted) return visit.report.risk.status === "PASS" ? "signed in" : "second factor";
  // Made up, from another page, or already used: an ordinary visitor never sends these.
  const made = ["malformed", "not_found", "wrong_origin", "wrong_surface", "already_used"];
  // No imprint, no answer, or an imprint that is too old: here, a second factor decides.
  return made.includes(visit.reason) ? "refused" : "second factor";
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(request, response) {
  if (request.method !== "POST" || request.url !== "/sign-in") {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(await readFile(new URL("sign-in.html", import.meta.url)));
    return;
  }
  const form = new URLSearchParams(await text(request));
  const visit = await acceptSignIn(form.get("imprint"));
  const [problem, risk] = visit.accepted ? [null, visit.report.risk] : [visit.reason, null];
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ decision: decide(visit), problem, risk }));
}

const server = createServer((request, response) => {
  answer(request, response).catch((/** @type {unknown} */ error) => {
    console.error("the request failed:", error);
    response.destroy();
  });
});

server.listen(process.env["PORT"] ?? 8080, () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`http://localhost:${port}`);
});

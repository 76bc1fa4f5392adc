import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { readReport } from "./report.mjs";

/**
 * Your decision: Imprint recommends none.
 *
 * @param {import("./report.mjs").Report | null} report
 * @param {string | null} problem
 */
function decide(report, problem) {
  if (report?.risk.status === "PASS") return "signed in";
  // Made up, or of another site: nothing that an ordinary visitor sends.
  if (problem === "report_not_found") return "refused";
  // No imprint, no answer, or something that needs a look: here, a second factor decides.
  return "second factor";
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
  const { report, problem } = await readReport(form.get("imprint"));
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ decision: decide(report, problem), problem, risk: report?.risk ?? null }));
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

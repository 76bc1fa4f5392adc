import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const TOLERANCE_SECONDS = 5 * 60;
const secret = Buffer.from((process.env["IMPRINT_WEBHOOK_SECRET"] ?? "").replace("whsec_", ""), "base64");
// With an empty secret, anyone could sign.
if (secret.length === 0) throw new Error("IMPRINT_WEBHOOK_SECRET is not set: give the signing secret, whsec_…");
/** Ids already received; in production, a unique column in your database. */
const seen = new Set();

/**
 * Checks that a message is from Imprint, recent and unaltered. `body` is the raw text as received.
 *
 * @param {Record<string, string>} headers
 * @param {string} body
 */
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS) {
    const expected = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest();
    // Two signatures while the secret is being replaced: one of them must match.
    return signatures.split(" ").some((signature) => {
      const given = Buffer.from(signature.replace("v1,", ""), "base64");
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
  return false;
}

/**
 * Handles one message. Answer at once and do the work afterwards: a message without an answer within 15 seconds is resent.
 *
 * @param {import("node:http").IncomingMessage} request
 * @returns {Promise<number>} the status of the answer
 */
async function receive(request) {
  const body = await text(request);
  const headers = /** @type {Record<string, string>} */ (request.headers);
  if (!isGenuine(headers, body)) return 401;
  const id = headers["webhook-id"];
  if (seen.has(id)) return 204;
  seen.add(id);
  const message = /** @type {{ type: string, data: { imprint: string, risk: { status: string } } }} */ (
    JSON.parse(body)
  );
  if (message.type === "visit.recorded") console.log(message.data.imprint, message.data.risk.status);
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(), // the sender disconnected
  );
});
server.listen(Number(process.env["PORT"] ?? 4000));

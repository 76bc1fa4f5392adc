import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const TOLERANCE_SECONDS = 5 * 60;
const secret = Buffer.from((process.env["IMPRINT_WEBHOOK_SECRET"] ?? "").replace("whsec_", ""), "base64");
// Anybody could sign with an empty one.
if (secret.length === 0) throw new Error("IMPRINT_WEBHOOK_SECRET is not set: give the signing secret, whsec_…");
/** Ids that came before; in production a unique column of your database. */
const seen = new Set();

/**
 * Whether a message came from Imprint, just now and unaltered. `body` is the text as it was received.
 *
 * @param {Record<string, string>} headers
 * @param {string} body
 */
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS) {
    const expected = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest();
    // Two while the secret is being replaced: one of them has to be right.
    return signatures.split(" ").some((signature) => {
      const given = Buffer.from(signature.replace("v1,", ""), "base64");
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
  return false;
}

/**
 * Takes one message. Answer at once, and work afterwards: what has no answer within 15 seconds is sent again.
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
    () => response.destroy(), // the sender broke off
  );
});
server.listen(Number(process.env["PORT"] ?? 4000));

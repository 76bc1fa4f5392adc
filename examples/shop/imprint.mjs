/**
 * @typedef {import("../../lib/contract/report").Report} Report
 * @typedef {{ request: string[], status: number, headers: string[], body: string, tookMs: number }} Exchange
 * @typedef {object} Evidence
 * @property {"report" | "none" | "refused" | "unavailable"} outcome
 * @property {string} explanation
 * @property {Report} [report]
 * @property {Exchange} [wire]
 */

/** Longest time for which a sign-in waits for its Report. Beyond it the shop goes on without one. */
const TIMEOUT_MS = 3_000;

/** A Report is evidence for the action at hand, not for one that comes later. */
const MAX_AGE_MS = 5 * 60_000;

/** How many used imprints are remembered. A shop on several servers keeps them in its database. */
const MAX_REMEMBERED = 10_000;

const IMPRINT = /^imp_[0-9a-f]{32}$/;

const WIRE_HEADERS = ["content-type", "cache-control", "x-request-id", "ratelimit-policy", "ratelimit", "retry-after"];

/**
 * What crossed the wire, with the key left out: it belongs in no page and no log.
 *
 * @param {string} url @param {Response} response @param {string} body @param {number} startedAt
 * @returns {Exchange}
 */
const describeWire = (url, response, body, startedAt) => ({
  request: [`GET ${url}`, "X-API-Key: (secret, not shown)"],
  status: response.status,
  headers: WIRE_HEADERS.flatMap((name) =>
    response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
  ),
  body,
  tookMs: Math.round(performance.now() - startedAt),
});

/**
 * Reads Reports with the secret key.
 *
 * `read` never throws and always ends within its time-out: whatever happens to Imprint, the form has to work.
 * It resolves to `{ outcome, explanation, report?, wire? }`, where `outcome` is one of
 *   report        a fresh Report; the only outcome that has one
 *   none          the browser sent no imprint: the component was blocked, or there is no JavaScript
 *   refused       an imprint came, but it is not evidence for this visit
 *   unavailable   Imprint could not be asked
 *
 * @param {{ url: string, key: string }} options
 */
export function createReports({ url, key }) {
  const used = /** @type {Set<string>} */ (new Set());

  /** True the first time only: whoever copies an imprint from somewhere else must not profit from it. @param {string} imprint */
  function isFirstUse(imprint) {
    if (used.has(imprint)) return false;
    used.add(imprint);
    const [oldest = imprint] = used;
    if (used.size > MAX_REMEMBERED) used.delete(oldest);
    return true;
  }

  /** @param {string} imprint */
  async function ask(imprint) {
    const startedAt = performance.now();
    const address = `${url}/api/v1/fingerprint/report/${imprint}`;
    const response = await fetch(address, {
      headers: { "X-API-Key": key, Accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const body = /** @type {Report & { error: { code: string } }} */ (JSON.parse(text));
    return { body, status: response.status, wire: describeWire(address, response, text, startedAt) };
  }

  /** @param {string} imprint @returns {Promise<Evidence>} */
  async function read(imprint) {
    if (imprint === "") return { outcome: "none", explanation: "The browser sent no imprint." };
    // Checked before it becomes part of an address: it comes from a browser, so it may be anything.
    if (!IMPRINT.test(imprint)) return { outcome: "refused", explanation: "That is not an imprint." };
    try {
      const { status, body, wire } = await ask(imprint);
      if (status === 404) return { outcome: "refused", explanation: "Imprint does not know this imprint.", wire };
      // Codes are stable, messages are for people: branch on `error.code` only.
      if (status !== 200) return { outcome: "unavailable", explanation: `Imprint answered ${body.error.code}.`, wire };
      if (Date.now() - Date.parse(body.created_at) > MAX_AGE_MS)
        return { outcome: "refused", explanation: "This imprint is of an earlier visit.", wire };
      if (!isFirstUse(imprint)) return { outcome: "refused", explanation: "This imprint was used before.", wire };
      return { outcome: "report", explanation: "Imprint has a Report of this visit.", report: body, wire };
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      return {
        outcome: "unavailable",
        explanation: isLate ? `Imprint did not answer within ${TIMEOUT_MS} ms.` : "Imprint could not be reached.",
      };
    }
  }

  return { read };
}

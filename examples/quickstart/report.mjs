const SERVICE = "https://imprint.example.com";

/** @typedef {{ risk: { status: string } }} Report the part that a decision needs; the API reference has the whole */

/**
 * Reads the Report of an imprint. Never throws: without a Report, `problem` says why, and your sign-in goes on.
 * `no_imprint`: the form held none. `unreachable`: no answer in 2 seconds. Anything else is an `error.code`.
 *
 * @param {string | null} imprint
 * @returns {Promise<{ report: Report, problem: null } | { report: null, problem: string }>}
 */
export async function readReport(imprint) {
  // What a visitor sends is checked before it becomes part of an address.
  if (!imprint || !/^imp_[0-9a-f]{32}$/.test(imprint)) return { report: null, problem: "no_imprint" };
  try {
    const answer = await fetch(`${SERVICE}/api/v1/fingerprint/report/${encodeURIComponent(imprint)}`, {
      headers: { "X-API-Key": process.env["IMPRINT_KEY"] ?? "" },
      signal: AbortSignal.timeout(2000),
    });
    const body = /** @type {Report & { error: { code: string } }} */ (await answer.json());
    return answer.ok ? { report: body, problem: null } : { report: null, problem: body.error.code };
  } catch (error) {
    console.error("Imprint did not answer:", error);
    return { report: null, problem: "unreachable" };
  }
}

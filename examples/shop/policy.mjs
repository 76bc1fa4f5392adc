/**
 * The shop's own decision. Imprint describes a visit and recommends nothing: what a status means depends on what is at
 * stake and on what else the shop knows about the account.
 *
 * Nobody is locked out because there is no Report. Blockers, old browsers and outages are ordinary; confirmation by
 * e-mail costs an honest customer a minute, and keeps an attacker out of the account.
 */
const SECOND_STEP = { action: "second-step", title: "Please confirm by e-mail" };
const SIGNED_IN = { action: "signed-in", title: "You are signed in" };
const HELD = { action: "held", title: "We need a closer look" };

/** The site could not ask, or had nothing to ask for: no sign of ill will. @type {readonly string[]} */
const NOTHING_KNOWN = ["missing", "unavailable", "rate_limited", "quota_exhausted", "misconfigured"];

/**
 * @typedef {{ action: string, title: string, because: string }} Decision
 *
 * @param {import("imprint-server").Acceptance} visit
 * @returns {Decision}
 */
export function decide(visit) {
  if (!visit.accepted)
    return NOTHING_KNOWN.includes(visit.reason)
      ? { ...SECOND_STEP, because: "there is no Report, which alone is no reason to refuse anybody" }
      : { ...SECOND_STEP, because: "what the browser sent is no evidence for this visit" };
  const { status } = visit.report.risk;
  switch (status) {
    case "PASS":
      return { ...SIGNED_IN, because: "nothing about this visit needs attention" };
    case "SUSPICIOUS":
      return { ...SECOND_STEP, because: "something about this visit is unusual" };
    case "DECEPTIVE":
      return { ...HELD, because: "there are clear signs of disguise or automation" };
    default:
      return { ...SECOND_STEP, because: `this shop does not know the status ${String(status)}` };
  }
}

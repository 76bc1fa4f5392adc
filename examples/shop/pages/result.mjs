import { html, page } from "./html.mjs";
import { factsInWords, reasonInWords, VERDICTS } from "./words.mjs";

/**
 * @typedef {import("imprint-server").Report} Report
 * @typedef {import("imprint-server").Acceptance} Acceptance
 * @typedef {import("imprint-server").Refused} Refused
 */

/** A distinct shape for each status, so that it is recognisable without colour. */
const SHAPES = {
  PASS: html`<path d="m7 12.5 3.2 3.2L17 9" />`,
  SUSPICIOUS: html`<path d="M12 7.5v5.5m0 3v.1" />`,
  DECEPTIVE: html`<path d="m8.5 8.5 7 7m0-7-7 7" />`,
};

/** @param {Report["risk"]["status"]} status */
const badge = (status) => html`
  <span class="badge ${status.toLowerCase()}">
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      ${status === "SUSPICIOUS" ? html`<path d="M12 3 22 20.5H2Z" />` : html`<circle cx="12" cy="12" r="9.5" />`}
      ${SHAPES[status]}
    </svg>
    ${status}
  </span>
`;

/** @param {Report} report */
const verdict = (report) => html`
  <section class="card" aria-labelledby="verdict">
    <h2 id="verdict">What Imprint reports</h2>
    <p class="verdict">${badge(report.risk.status)} <span>${VERDICTS[report.risk.status]}</span></p>
    ${
      report.risk.findings.length > 0 &&
      html`<ul class="findings">
        ${report.risk.findings.map(
          ({ reason, status }) =>
            html`<li>${reasonInWords(reason)} <code>${reason}</code> <small>${status.toLowerCase()}</small></li>`,
        )}
      </ul>`
    }
    <dl>
      ${factsInWords(report).map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </section>
`;

/** @param {Refused} visit */
const notAccepted = ({ reason, message }) => html`
  <section class="card" aria-labelledby="verdict">
    <h2 id="verdict">No Report for this sign-in</h2>
    <p data-reason="${reason}">${message}</p>
  </section>
`;

/** @param {Report} report */
const reportJson = (report) => html`
  <section class="card" aria-labelledby="json">
    <h2 id="json">The Report</h2>
    <pre id="report" tabindex="0" aria-labelledby="json">${JSON.stringify(report, undefined, 2)}</pre>
  </section>
`;

/** @param {[name: string, value: string]} field */
const fieldShown = ([name, value]) => `${name}: ${name === "password" ? "(not shown)" : value || "(empty)"}`;

/** @param {URLSearchParams} form @param {import("../wire.mjs").Exchange | undefined} exchange */
const wire = (form, exchange) => html`
  <section class="card" aria-labelledby="wire">
    <h2 id="wire">What was sent over the network</h2>
    <h3>From the browser to the shop</h3>
    <pre tabindex="0" aria-label="Form fields">${[...form].map(fieldShown).join("\n")}</pre>
    ${
      exchange &&
      html`<h3>From the shop to Imprint</h3>
        <pre tabindex="0" aria-label="Request">${exchange.request.join("\n")}</pre>
        <h3>The answer, after ${exchange.tookMs} ms</h3>
        <pre tabindex="0" aria-label="Answer">
${[`HTTP ${exchange.status}`, ...exchange.headers, "", exchange.body].join("\n")}</pre>`
    }
  </section>
`;

/**
 * The outcome of a sign-in: the shop's decision and everything that it was based on.
 *
 * @param {object} outcome
 * @param {string} outcome.email
 * @param {URLSearchParams} outcome.form
 * @param {Acceptance} outcome.visit
 * @param {import("../wire.mjs").Exchange | undefined} outcome.exchange
 * @param {import("../policy.mjs").Decision} outcome.decision
 * @param {string} outcome.back
 */
export const resultPage = ({ email, form, visit, exchange, decision, back }) =>
  page(
    decision.title,
    html`
      <main class="result">
        <section class="card decision" data-action="${decision.action}">
          <h1>${decision.title}</h1>
          <p>
            The shop's own rule for <strong>${email}</strong>: ${decision.because}. Imprint describes the visit and
            leaves the decision to the shop.
          </p>
          <p><a href="${back}">Sign in again</a></p>
        </section>
        ${visit.accepted ? [verdict(visit.report), reportJson(visit.report)] : notAccepted(visit)}
        ${wire(form, exchange)}
      </main>
    `,
  );

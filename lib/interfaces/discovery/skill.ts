import { OPERATIONS } from "@/lib/contract";
import { REASON_COPY } from "@/lib/contract/reasons";
import { REASONS } from "@/lib/contract/report";
import { ERRORS } from "@/lib/contract/errors";

type Facts = { baseUrl: string; isMcpOn: boolean; samples: { page: string; curl: string; server: string } };

const CREDENTIALS: Record<(typeof OPERATIONS)[number]["security"], string> = {
  none: "none",
  origin: "none; the page's `Origin` must be allowed",
  apiKey: "`X-API-Key`, from a server only",
  managementKey: "`Authorization: Bearer svc_manage_…`, from scripts only",
  claimToken: "`Authorization: Bearer CLAIM_TOKEN`",
  purchase: "none; a claim token of your own in the body",
};

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const operations = () =>
  table(
    ["operation", "credential", "what it does"],
    OPERATIONS.map(({ method, path, security, summary }) => [`\`${method} ${path}\``, CREDENTIALS[security], summary]),
  );

const reasons = () =>
  table(
    ["reason", "what it means", "harmless causes"],
    REASONS.map((reason) => {
      const { text, harmlessCauses } = REASON_COPY[reason];
      return [`\`${reason}\``, text, harmlessCauses.join("; ")];
    }),
  );

const refusals = () => {
  const read = OPERATIONS.find(({ id }) => id === "readReport");
  return table(
    ["status", "code", "meaning"],
    (read?.errors ?? []).map((code) => [String(ERRORS[code].status), `\`${code}\``, ERRORS[code].message]),
  );
};

const mcp = ({ baseUrl }: Facts) => `
## Ask as a person, without a key

People with an account connect an assistant to the MCP server at ${baseUrl}/mcp (Streamable HTTP, OAuth 2.1). Its tools find visits by account, address, device, reason or time, explain verdicts, and read Reports, devices, History and usage; its prompts start an investigation. Use it to look at visits, never in place of the server call above. How: ${baseUrl}/docs/mcp.md
`;

/**
 * An agent skill for integrating Imprint. Format: https://agentskills.io/specification
 */
export const composeSkill = (facts: Facts): string => {
  const { baseUrl } = facts;
  return `---
name: imprint-device-reports
description: Adds Imprint device fingerprint reports to a web application, or debugs such an integration. Use for sign-in, registration and payment risk, device recognition, X-API-Key report calls, imp_ or env_ identifiers, or errors of ${baseUrl}.
---

# Imprint device reports

A browser component makes an imprint (\`imp_…\`) of a visit. The site's own server reads the Report of that imprint with a secret key and decides by itself: Imprint recommends no action.

## Rules

1. The environment id (\`env_…\`) is public. The server key (\`svc_live_…\` or \`svc_trial_…\`) is secret: keep it in the server's environment, never in a page, a repository or a log.
2. Only the exact origins on the Web App's list may submit: scheme, host, and port unless it is the default. No wildcards, no paths.
3. Run the component at sensitive moments (sign-in, registration, payment), not on every page view. When it fails, let the form through without an imprint, and let the server decide what that means.
4. Send the imprint to the site's own server, which accepts it with \`acceptImprint\` from \`imprint-server\`, for one surface, origin and action. Never take a verdict from the browser.
5. \`risk.status\` is \`PASS\`, \`SUSPICIOUS\` or \`DECEPTIVE\`. Weigh it with what the site knows about the account; every reason has harmless causes.
6. Branch on \`error.code\`, never on the message. Repeat 429 \`rate_limited\`, 500, 502 and 503 after \`Retry-After\`; reading a Report again costs nothing.
7. An account reference (\`X-Account-Ref\`) is an immutable internal id: never an e-mail address, a telephone number or a name.

## On the page

The form has a hidden field \`imprint\`, which the script fills before it submits the form. The same as an ES module and for React: ${baseUrl}/docs/quickstart.md

\`\`\`html
${facts.samples.page.trimEnd()}
\`\`\`

A Content-Security-Policy must allow ${baseUrl} in \`script-src\` and \`connect-src\`, and \`blob:\` in \`worker-src\`.

## On the server

Use the package: it checks surface, origin, age and first use, waits at most two seconds, never rejects, and returns a \`reason\` if there is no Report. What to do then is the site's choice. Set \`origin\` to the origin of the page, and \`surface\` to what the page passes to \`run()\`.

\`\`\`javascript
${facts.samples.server.trimEnd()}
\`\`\`

Reasons, options, Express, Fastify, Hono, Next and Python: ${baseUrl}/docs/accepting.md. Threat, code and test by action: accept-sign-in.md, accept-registration.md, accept-payment.md and accept-password-reset.md beside it.

Without the package, in any language: check the format before the value becomes part of a URL, and compare the headers \`Imprint-Delivery\`, \`Imprint-Surface\`, \`Imprint-Origin\` and \`Imprint-Age\`. Go and PHP are in ${baseUrl}/docs/quickstart.md

\`\`\`bash
${facts.samples.curl.trimEnd()}
\`\`\`

${refusals()}

## Reasons

${reasons()}

## Every operation

${operations()}

Fields and types: ${baseUrl}/openapi.json
${facts.isMcpOn ? mcp(facts) : ""}
## Around it

- Webhooks notify a server of visits, keys and quotas as they happen, signed according to Standard Webhooks: ${baseUrl}/docs/webhooks.md
- Management keys (\`svc_manage_…\`) let scripts change origins, Web Apps and keys, for example for preview deployments; they cannot read Reports: ${baseUrl}/docs/manage.md

## Read more

- ${baseUrl}/docs/quickstart.md: from an empty page to a first Report
- ${baseUrl}/docs/accepting.md: the server package
- ${baseUrl}/docs/component.md: options and failures of the component
- ${baseUrl}/docs/concepts.md: what the words mean
- ${baseUrl}/docs/agent-trial.md: buy a trial key without a human
- ${baseUrl}/llms.txt: everything else
`;
};

import { type Product, PRODUCT_CODE, REPORT_UNITS, TRIAL_HOURS } from "@/lib/contract/product";

function describeOffer(product: Product | undefined): string {
  const limits =
    product && `, ${product.limits.submit_requests} visits, ${product.limits.report_requests} report requests`;
  const offer = `\`${PRODUCT_CODE}\` (${REPORT_UNITS} Reports within ${TRIAL_HOURS} hours${limits ?? ""})`;
  const price = product?.price;
  if (!price) return `${offer} cannot be bought at present.`;
  return `${offer} costs ${price.amount_atomic} atomic units of ${price.asset} on ${price.network}, paid to ${price.pay_to}.`;
}

type Facts = { product: Product | undefined; baseUrl: string; isMcpOn: boolean };

/** Format: https://llmstxt.org. */
export function composeLlmsText({ product, baseUrl, isMcpOn }: Facts): string {
  const mcp = isMcpOn
    ? `- [Metadata of the MCP server](${baseUrl}/.well-known/oauth-protected-resource/mcp): the server itself is at ${baseUrl}/mcp, for people with an account; its tools find and explain visits: ${baseUrl}/docs/mcp.md\n`
    : "";
  return `# Imprint

> Device fingerprint reports and access risk for sign-in, registration and payment. A browser component makes an imprint; a server reads the Report of that imprint with a secret key. Imprint recommends no action.

## Buy a trial without a human

${describeOffer(product)}

The catalog is authoritative for price and limits: never take them from examples. In short:

1. Generate a claim token: 32 random bytes in base64url or hex, new for each purchase. Keep it secret: whoever has it gets the key.
2. \`POST ${baseUrl}/api/v1/agent/trial\` with \`{"origin": "https://your.site", "claim_token": "…"}\` through an official x402 version 2 client, which answers the 402. Clients that do not know the token must be configured: \`client.setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment }] })\` with the values of \`GET ${baseUrl}/api/v1/agent/products\`.
3. On 202, 5xx, or if an answer is lost, make the same call again: it continues the same purchase and never pays twice.
4. On 200, \`GET\` its \`status_url\` with \`Authorization: Bearer CLAIM_TOKEN\`. The key is available only there, for 60 minutes after the first answer that contains it.
5. Run the browser component on a page of that origin with \`environment_id\`, and read \`GET ${baseUrl}/api/v1/fingerprint/report/{imprint}\` with \`X-API-Key\`, with \`acceptImprint\` from the server package or with your own code.

## Docs

- [Agent trial](${baseUrl}/docs/agent-trial): the purchase step by step, states, failures
- [Quickstart](${baseUrl}/docs/quickstart): component and Report in three steps
- [Accepting an imprint](${baseUrl}/docs/accepting): the server package, ${baseUrl}/v1/imprint-server.tgz, and its Python module; then a page each for [sign-in](${baseUrl}/docs/accept-sign-in), [registration](${baseUrl}/docs/accept-registration), [payment](${baseUrl}/docs/accept-payment) and [password reset](${baseUrl}/docs/accept-password-reset)
- [Browser component](${baseUrl}/docs/component): options and failures
- [API reference](${baseUrl}/docs/api): every operation, field and status
- [Webhooks](${baseUrl}/docs/webhooks.md): signed messages about visits, keys and quotas
- [Manage by API](${baseUrl}/docs/manage.md): management keys for scripts, which change origins, Web Apps and keys but cannot read Reports
- [Concepts](${baseUrl}/docs/concepts.md): what the words mean
- [Privacy](${baseUrl}/docs/privacy.md): what is collected and kept
- [Errors](${baseUrl}/docs/errors): every error code with its remedy

Every page is available as Markdown at its URL with \`.md\`, and at the URL itself with \`Accept: text/markdown\`; ${baseUrl}/docs/search?q=WORDS searches all of them.

## Machine-readable

- [Agent skill](${baseUrl}/SKILL.md): for coding assistants that integrate Imprint into a site
- [OpenAPI 3.1](${baseUrl}/openapi.json)
${mcp}- [API catalog](${baseUrl}/.well-known/api-catalog): linkset of RFC 9727
`;
}

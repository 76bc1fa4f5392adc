import type { ErrorCode } from "@/lib/contract/errors";

type Explanation = { cause: string; remedy: string };

/** Cause and remedy of each error code. */
export const EXPLANATIONS: Record<ErrorCode, Explanation> = {
  settlement_pending: {
    cause:
      "A payment for this intent was handed over and is not decided yet, or the trial is still being set up after it. The chain decides; that can take until the authorization ends.",
    remedy:
      "Poll the status address of the intent. Do not sign another payment: nothing is lost and nothing is taken twice.",
  },
  invalid_request: {
    cause:
      "The body, a query parameter or a header does not have the declared shape: a field is missing, unknown, too long or of another type.",
    remedy: "Compare the request with the API reference. Fields that it does not list are refused, not ignored.",
  },
  invalid_origin: {
    cause: "The origin has a path, a query, user information, a wildcard or no scheme.",
    remedy:
      "Send scheme, host and port, as a browser puts it into the Origin header: `https://shop.example`. The default port of the scheme may be written and is left out.",
  },
  invalid_account_ref: {
    cause:
      "The account reference is empty, longer than 128 characters, not printable ASCII, or looks like an e-mail address or a telephone number.",
    remedy: "Send your immutable internal user id. Never an e-mail address, a phone number or a name.",
  },
  invalid_payment: {
    cause: "The payment payload cannot be decoded, or does not match the terms that were locked for this intent.",
    remedy:
      "Ask for the challenge again, sign exactly those terms with an x402 v2 client and retry once. Nothing was charged.",
  },
  challenge_expired: {
    cause: "The challenge of a submission is older than 120 seconds, or was issued for another origin or environment.",
    remedy:
      "The browser component asks for a new one by itself. Own clients fetch the challenge immediately before the submission.",
  },
  auth_failed: {
    cause:
      "The key or token is missing, malformed, unknown, revoked or expired, or it stands in another place than its header.",
    remedy:
      "Send the key in `X-API-Key`, from a server, and look in the Console whether it is active. All these cases answer the same on purpose.",
  },
  forbidden: {
    cause: "The credential is valid, but its role or scope does not include this.",
    remedy: "Ask an owner or admin of the workspace to change the role, or connect again with the scope.",
  },
  origin_not_allowed: {
    cause:
      "The page's origin is not on the Web App's list of allowed origins, the list is empty, or the request named no origin at all.",
    remedy:
      "Open the Web App in the Console: the refused origin is listed there with a button that allows it. `https://shop.example` and `https://www.shop.example` are two origins.",
  },
  environment_disabled: {
    cause: "The Web App is paused or archived, or the trial that it belongs to has ended.",
    remedy: "Resume the Web App in the Console, or use the environment id of one that is active.",
  },
  visitor_signature_invalid: {
    cause:
      "A proxy of the site signed for its visitor, and the signature does not fit the key, the operation or the body that arrived.",
    remedy:
      "Ask for the signing secret again with `POST /api/v1/imprints/proxy-key`: it changes each day. Sign the very bytes that are forwarded, for the operation that they go to.",
  },
  visitor_signature_expired: {
    cause: "The time of the signature and that of the service are more than 60 seconds apart.",
    remedy:
      "Sign each request when it is forwarded. If the proxy's clock is off, correct it, or add the difference to `issued_at` of the signing secret.",
  },
  visitor_key_refused: {
    cause:
      "The API key in whose name a proxy signed was revoked, has expired, or belongs to another workspace than the environment.",
    remedy: "Give the proxy a usable API key of the workspace that has the Web App.",
  },
  trial_key_required: {
    cause: "The trial grant was asked for with a key that no Agent Trial issued.",
    remedy: "Use the key that the trial delivered. Usage of other keys is shown in the Console.",
  },
  grant_expired: {
    cause: "The trial of this key ended: its 72 hours are over.",
    remedy: "Buy another trial, or ask for a key of a workspace with a plan.",
  },
  grant_revoked: {
    cause: "The operator of the service revoked the trial of this key.",
    remedy: "Ask the operator. The grant itself can still be read.",
  },
  history_not_allowed: {
    cause: "History belongs to the Pro and Enterprise plans; this key's workspace has another one.",
    remedy: "Use a key of a workspace with Pro or Enterprise, or leave History out.",
  },
  account_map_not_allowed: {
    cause: "The request carried `X-Account-Ref`, and the workspace of this key has no Account Map.",
    remedy: "Leave the header out: the Report itself is the same. Account Map comes with Pro and Enterprise.",
  },
  not_found: {
    cause: "No operation has this path, or what it names does not exist for you.",
    remedy: "Check path and spelling against the API reference, doubled and trailing slashes included.",
  },
  report_not_found: {
    cause:
      "The imprint is malformed, unknown, older than the retention of the service, or belongs to another workspace.",
    remedy: "Pass the imprint on unchanged, and use a key of the workspace whose environment id the page uses.",
  },
  environment_not_found: {
    cause: "No Web App has this environment id.",
    remedy: "Copy the environment id from the Web App in the Console: `env_` and 32 hexadecimal digits.",
  },
  intent_not_found: {
    cause: "No trial intent has this id.",
    remedy: "Use the `status_url` and `activate_url` of the creation response as they are.",
  },
  product_not_found: {
    cause: "The catalog has no product with this code.",
    remedy: "Read the product catalog and use a code from it.",
  },
  mcp_disabled: {
    cause: "The operator of this instance has switched its MCP server off, and its authorization server with it.",
    remedy: "Ask the operator. Connections that were made before work again when it is on; the API is not affected.",
  },
  method_not_allowed: {
    cause: "The path exists but not with this method.",
    remedy: "The `Allow` header lists the methods that this address answers.",
  },
  request_timeout: {
    cause: "The headers did not arrive within 10 seconds, or the whole request within 30.",
    remedy: "Send the request again on a new connection.",
  },
  challenge_used: {
    cause: "The challenge was already used, with another body.",
    remedy:
      "Fetch a new challenge for each submission. Only the identical body may be sent twice; it gets the same imprint.",
  },
  account_ref_conflict: {
    cause: "This imprint was already read with another account reference.",
    remedy: "One visit belongs to one account. Send the reference of the first read, or none.",
  },
  product_unavailable: {
    cause: "The operator has taken the product off sale.",
    remedy: "Read the catalog again later; `available` says when it is back.",
  },
  payment_already_used: {
    cause: "This payment authorization was already presented, for this or another intent.",
    remedy: "Poll the status of the intent that it was used for. Do not pay again.",
  },
  intent_expired: {
    cause: "The intent was not paid within its time.",
    remedy: "Create a new intent. Nothing was charged.",
  },
  intent_revoked: {
    cause: "The operator revoked the intent.",
    remedy: "Ask the operator before creating another one.",
  },
  conflict: {
    cause: "Somebody or something changed the state in between, so the change no longer fits.",
    remedy: "Read the present state and decide again.",
  },
  payload_too_large: {
    cause: "The request body is larger than the operation accepts.",
    remedy: "Submissions take up to 16 KiB. Send only declared fields.",
  },
  headers_too_large: {
    cause: "The request has more than 200 headers, or headers larger than 16 KiB together.",
    remedy: "Send fewer or shorter headers. In a browser, delete the cookies of this site.",
  },
  rate_limited: {
    cause: "More requests came from this key or address than its rate allows.",
    remedy: "Wait for the seconds in `Retry-After`, then continue. `RateLimit` on every answer shows what is left.",
  },
  quota_exhausted: {
    cause: "All report units of the period are used. Reports that were already delivered can still be read.",
    remedy:
      "Of a plan: the next month brings new units, or the operator another plan. Of a trial: its units do not renew; buy another trial. Waiting a few seconds helps in neither.",
  },
  request_limit_reached: {
    cause: "The trial's total number of submissions or Report requests is used up.",
    remedy: "Read the trial grant for the counters. The limit does not reset.",
  },
  internal_error: {
    cause: "A defect of the service. It is in the service's log under the request id.",
    remedy: "Repeat the request once. If it stays, give the operator the `X-Request-Id`.",
  },
  facilitator_error: {
    cause: "The payment facilitator could not be reached or answered nonsense while the payment was being checked.",
    remedy:
      "This request submitted nothing; send the same payment again after `Retry-After`. If an earlier call got no answer, the money may already have moved: ask the status URL first, and make no second intent.",
  },
  payment_unavailable: {
    cause: "The service is not configured for payments at present, or the facilitator did not answer in time.",
    remedy:
      "This request submitted nothing. The catalog tells by `available` whether the product can be bought. If an earlier call got no answer, the money may already have moved: ask the status URL first, and make no second intent.",
  },
  service_unavailable: {
    cause: "The database is away or overloaded, or the service is stopping.",
    remedy: "Repeat the request after a short, growing wait. Reading a Report is safe to repeat.",
  },
};

import { unstable_isUnrecognizedActionError as isOfOlderPage, unstable_rethrow } from "next/navigation";

import type { ActionResult } from "./action-result";

export type Refused = Extract<ActionResult<never>, { ok: false }>;

const refusal = (code: "service_unavailable" | "invalid_request", message: string): Refused => ({
  ok: false,
  code,
  message,
  requestId: "",
});

/** Message for an action that threw instead of returning a result. A redirect is not one: it is passed on to the router. */
export function noAnswer(error: unknown): Refused {
  unstable_rethrow(error);
  if (isOfOlderPage(error))
    return refusal(
      "invalid_request",
      "The service was upgraded since this page was opened. Reload it and repeat this.",
    );
  // The error with which fetch rejects.
  if (error instanceof TypeError)
    return refusal("service_unavailable", "The service could not be reached. Check the connection and try again.");
  return refusal(
    "service_unavailable",
    "The service gave no answer that this page understands. Reload it and see whether this was done before you repeat it.",
  );
}

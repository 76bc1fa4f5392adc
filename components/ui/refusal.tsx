import type { ActionResult } from "./action-result";

/** Error message of an action, next to its form. */
export function Refusal({ result }: { result: ActionResult<unknown> | undefined }) {
  if (!result || result.ok) return null;
  return (
    <div role="alert" className="rounded-md bg-dec-bg px-3 py-2 whitespace-pre-line text-dec">
      {result.code === "invalid_origin"
        ? "Some entries are not origins. Each is explained below the list."
        : result.message}
      {result.code === "auth_failed" ? (
        // In this tab, what was typed would be lost.
        <a href="/sign-in" target="_blank" className="block w-fit font-medium underline">
          Sign in in a new tab
        </a>
      ) : null}
      {result.code === "internal_error" || result.code === "service_unavailable" ? (
        <span className="block font-mono text-xs">{result.requestId}</span>
      ) : null}
    </div>
  );
}

import type { ErrorCode } from "@/lib/contract/errors";

/** Result of a server action, which does not throw expected errors. */
export type ActionResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; message: string; requestId: string };

/** @param person for whom the page that calls it was drawn */
export type Action<Input, Output> = (input: Input, person: string | undefined) => Promise<ActionResult<Output>>;

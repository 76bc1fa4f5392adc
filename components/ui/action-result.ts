import type { ErrorCode } from "@/lib/contract/errors";

/** What a page's action answers: it never throws for an expected refusal. */
export type ActionResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; message: string; requestId: string };

export type Action<Input, Output> = (input: Input) => Promise<ActionResult<Output>>;

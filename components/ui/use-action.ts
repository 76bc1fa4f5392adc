"use client";

import { useState, useTransition } from "react";

import type { Action, ActionResult } from "./action-result";

const UNREACHABLE: ActionResult<never> = {
  ok: false,
  code: "service_unavailable",
  message: "The service could not be reached. Check the connection and try again.",
  requestId: "",
};

/** Runs an action and holds its result until the next run. */
export function useAction<Input, Output>(action: Action<Input, Output>) {
  const [result, setResult] = useState<ActionResult<Output>>();
  const [isPending, startTransition] = useTransition();
  const run = (input: Input, onDone?: (value: Output) => void) => {
    startTransition(async () => {
      const answer = await action(input).catch(() => UNREACHABLE);
      setResult(answer);
      if (answer.ok) onDone?.(answer.value);
    });
  };
  const reset = () => {
    setResult(undefined);
  };
  return { run, result, isPending, reset };
}

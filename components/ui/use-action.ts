"use client";

import { useState, useTransition } from "react";

import type { Action, ActionResult } from "./action-result";
import { noAnswer } from "./no-answer";
import { usePerson } from "./person";

/** Runs an action and keeps its result until the next run. */
export function useAction<Input, Output>(action: Action<Input, Output>) {
  const [result, setResult] = useState<ActionResult<Output>>();
  const [isPending, startTransition] = useTransition();
  const person = usePerson();
  const run = (input: Input, onDone?: (value: Output) => void) => {
    startTransition(async () => {
      const answer = await action(input, person).catch(noAnswer);
      setResult(answer);
      if (answer.ok) onDone?.(answer.value);
    });
  };
  const reset = () => {
    setResult(undefined);
  };
  return { run, result, isPending, reset };
}

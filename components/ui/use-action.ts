"use client";

import { useEffect, useRef, useState, useTransition } from "react";

import type { Action, ActionResult } from "./action-result";
import { noAnswer } from "./no-answer";
import { usePerson } from "./person";

/** Runs an action and keeps its result until the next run. */
export function useAction<Input, Output>(action: Action<Input, Output>) {
  const [result, setResult] = useState<ActionResult<Output>>();
  const [isPending, startTransition] = useTransition();
  const focused = useRef<HTMLElement>(null);
  const person = usePerson();
  useEffect(() => {
    // Other controls of the form may be disabled while its action runs, from which Chromium takes the focus.
    if (!isPending && document.activeElement === document.body) focused.current?.focus();
  }, [isPending]);
  const run = (input: Input, onDone?: (value: Output) => void) => {
    focused.current = document.querySelector(":focus");
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

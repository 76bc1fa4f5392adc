"use client";

import { useEffect, useRef, useState, useTransition } from "react";

import type { Action, ActionResult } from "./action-result";
import { noAnswer } from "./no-answer";
import { usePerson } from "./person";

/** Runs an action and keeps its result until the next run. */
export function useAction<Input, Output>(action: Action<Input, Output>) {
  const [result, setResult] = useState<ActionResult<Output>>();
  const [isPending, startTransition] = useTransition();
  const focused = useRef<Element>(null);
  const person = usePerson();
  useEffect(() => {
    const { current } = focused;
    if (isPending || current === null) return;
    focused.current = null;
    // Chromium takes the focus from a button that is disabled while its action runs.
    if (current instanceof HTMLElement && document.activeElement === document.body) current.focus();
  }, [isPending]);
  const run = (input: Input, onDone?: (value: Output) => void) => {
    focused.current = document.activeElement;
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

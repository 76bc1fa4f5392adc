"use client";

import { useEffect, useRef, useState, useTransition } from "react";

import type { Action, ActionResult } from "./action-result";
import { noAnswer } from "./no-answer";
import { usePerson } from "./person";

/** Whether the focused control is gone, or disabled: Chromium takes the focus from it only when it draws next. */
const hasLostFocus = () =>
  document.activeElement === document.body || document.activeElement?.matches(":disabled") === true;

/** Focuses what had the focus; if that is disabled now, because the form is empty again, the form's first field. */
function restoreFocus(former: HTMLElement | null) {
  if (former === null || !hasLostFocus()) return;
  former.focus();
  if (hasLostFocus()) former.closest("form")?.querySelector<HTMLElement>("input, select, textarea")?.focus();
}

/** Runs an action, once at a time, and keeps its result until the next run. */
export function useAction<Input, Output>(action: Action<Input, Output>) {
  const [result, setResult] = useState<ActionResult<Output>>();
  const [isPending, startTransition] = useTransition();
  const focused = useRef<HTMLElement>(null);
  const isRunning = useRef(false);
  const person = usePerson();
  useEffect(() => {
    if (!isPending) restoreFocus(focused.current);
  }, [isPending]);
  const run = (input: Input, onDone?: (value: Output) => void) => {
    if (isRunning.current) return;
    isRunning.current = true;
    focused.current = document.querySelector(":focus");
    startTransition(async () => {
      const answer = await action(input, person)
        .catch(noAnswer)
        .finally(() => {
          isRunning.current = false;
        });
      setResult(answer);
      if (answer.ok) onDone?.(answer.value);
    });
  };
  const reset = () => {
    setResult(undefined);
  };
  return { run, result, isPending, reset };
}

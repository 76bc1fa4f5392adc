"use client";

import { useEffect, useEffectEvent, useState } from "react";

import type { Action } from "./action-result";

export type ConsequencesProps<Asked> = {
  /** What somebody is about to end or delete. */
  asked: Asked;
  /** Reads what that means, a sentence each. */
  read: Action<Asked, string[]>;
};

/** While something is typed, it is read once that rests. */
const REST_MS = 250;

/** What was asked, to tell one question from another. */
export const questionOf = (asked: unknown): string => JSON.stringify(asked);

/** What an action ends or deletes, counted when it is shown. */
export function Consequences<Asked>(
  props: ConsequencesProps<Asked> & {
    /** Told which question is answered, by what `questionOf` makes of it. */
    onRead: (question: string) => void;
  },
) {
  const { asked, read, onRead } = props;
  const of = questionOf(asked);
  const [shown, setShown] = useState<{ of: string; lines: readonly string[] }>();
  const readLines = useEffectEvent(async () => {
    const answer = await read(asked).catch(() => undefined);
    if (answer?.ok) return answer.value;
    const isRefused = answer !== undefined && answer.code !== "internal_error";
    return [isRefused ? answer.message : "What this ends could not be counted now."];
  });
  const lines = shown?.of === of ? shown.lines : undefined;
  const isRead = lines !== undefined;
  const waitMs = shown === undefined ? 0 : REST_MS;
  useEffect(() => {
    if (isRead) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void readLines().then((found) => {
        if (!isCurrent) return;
        setShown({ of, lines: found });
        onRead(of);
      });
    }, waitMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [of, isRead, waitMs, onRead]);
  if (lines?.length === 0) return null;
  return (
    <div role="status" className="min-h-9 rounded-md bg-susp-bg px-3 py-2 text-susp">
      {lines === undefined ? (
        "Counting what this ends…"
      ) : (
        <ul className="flex flex-col gap-1">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

"use client";

import { useEffect, useEffectEvent, useState } from "react";

import type { Action } from "./action-result";
import { usePerson } from "./person";

export type ConsequencesProps<Asked> = {
  /** What someone is about to end or delete. */
  asked: Asked;
  /** Reads the consequences, one sentence each. */
  read: Action<Asked, string[]>;
};

/** Debounce delay while someone types. */
const REST_MS = 250;

/** Key that distinguishes one question from another. */
export const questionOf = (asked: unknown): string => JSON.stringify(asked);

/** The consequences of an action, counted when they are shown. */
export function Consequences<Asked>(
  props: ConsequencesProps<Asked> & {
    /** Receives the `questionOf` key of the question that was answered. */
    onRead: (question: string) => void;
  },
) {
  const { asked, read, onRead } = props;
  const of = questionOf(asked);
  const person = usePerson();
  const [shown, setShown] = useState<{ of: string; lines: readonly string[] }>();
  const readLines = useEffectEvent(async () => {
    const answer = await read(asked, person).catch(() => undefined);
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

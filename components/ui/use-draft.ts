"use client";

import { useState } from "react";

import { useUnloadGuard } from "./use-unload-guard";

const drafts = new Map<string, string>();

/**
 * A typed text that is still there when the person returns to the page, until the tab is closed or reloaded, which the
 * browser asks about.
 *
 * @param key names the form and the person, whom another one may follow in the same tab
 */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? "");
  useUnloadGuard(text.trim() !== "");
  const keep = (next: string) => {
    if (next === "") drafts.delete(key);
    else drafts.set(key, next);
    setText(next);
  };
  return [text, keep];
}

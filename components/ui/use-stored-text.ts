"use client";

import { useSyncExternalStore } from "react";

/** Choices made on this page, for when storage is blocked. */
const chosen = new Map<string, string>();
const listeners = new Set<() => void>();

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? chosen.get(key);
  } catch {
    return chosen.get(key);
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A choice stored in this browser; if storage is blocked, kept until the page is closed. */
export function useStoredText(key: string): [string | undefined, (text: string) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => undefined,
  );
  const keep = (next: string) => {
    chosen.set(key, next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // Storage is blocked.
    }
    for (const listener of listeners) listener();
  };
  return [text, keep];
}

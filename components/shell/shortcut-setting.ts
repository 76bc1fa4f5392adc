"use client";

import { useSyncExternalStore } from "react";

const STORAGE_KEY = "imprint.single-key-shortcuts";
const listeners = new Set<() => void>();

function areOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether single keys act as shortcuts: WCAG 2.1.4 asks that they can be switched off. */
export function useSingleKeyShortcuts(): [boolean, (on: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areOn, () => true);
  const set = (on: boolean) => {
    try {
      localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
    } catch {
      // Storage is blocked: the choice lasts until the page is closed.
    }
    for (const listener of listeners) listener();
  };
  return [isOn, set];
}

"use client";

import { useEffect, useRef } from "react";

/** Timeout for the second key after `g`. */
const CHORD_MS = 1_500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

const hasOpenDialog = () => document.querySelector("dialog[open], [role=menu]") !== null;

/** Whether a dialog must be answered first: leaving its page would lose what it shows. */
const hasHeldDialog = () => document.querySelector("dialog[open][closedby=none]") !== null;

/** Moves the focus to the next or previous row of the page's list. */
function moveInList(step: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step];
  next?.focus();
}

type Handlers = {
  singleKeys: boolean;
  /** Address by the key that follows `g`. */
  destinations: ReadonlyMap<string, string>;
  navigate: (href: string) => void;
  openPalette: () => void;
  openSheet: () => void;
};

function onSingleKey(key: string, handlers: Handlers): boolean {
  if (key === "?") handlers.openSheet();
  else if (key === "j") moveInList(1);
  else if (key === "k") moveInList(-1);
  else if (key === "/") {
    const search = document.querySelector<HTMLElement>("[data-search]");
    if (search) search.focus();
    else handlers.openPalette();
  } else return false;
  return true;
}

/** Keyboard shortcuts of the Console: Ctrl-K always, single keys unless switched off. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    let chordUntil = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      const now = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!hasHeldDialog()) now.openPalette();
        return;
      }
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!now.singleKeys || !isPlain || isTyping(event.target) || hasOpenDialog()) return;
      const destination = event.timeStamp < chordUntil ? now.destinations.get(event.key) : undefined;
      chordUntil = event.key === "g" ? event.timeStamp + CHORD_MS : 0;
      if (destination !== undefined) {
        event.preventDefault();
        now.navigate(destination);
      } else if (onSingleKey(event.key, now)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}

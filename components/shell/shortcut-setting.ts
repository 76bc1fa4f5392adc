"use client";

import { useStoredText } from "@/components/ui/use-stored-text";

/** Whether single keys act as shortcuts: WCAG 2.1.4 requires that they can be switched off. */
export function useSingleKeyShortcuts(): [boolean, (on: boolean) => void] {
  const [kept, keep] = useStoredText("imprint.single-key-shortcuts");
  const set = (on: boolean) => {
    keep(on ? "on" : "off");
  };
  return [kept !== "off", set];
}

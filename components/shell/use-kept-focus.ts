"use client";

import { useEffect } from "react";

/** The element and what contains it, within the body. */
function pathOf(element: EventTarget | null): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement && at !== document.body; at = at.parentElement) path.push(at);
  return path;
}

/** Moves the focus to an element that otherwise takes none. */
function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    const reset = () => {
      element.removeAttribute("tabindex");
    };
    element.addEventListener("blur", reset, { once: true });
  }
  element.focus({ preventScroll: true });
}

/**
 * If the focused element is removed, for example a row by its own button, browsers reset the focus to the start of the
 * document. This moves it to what still surrounds the place, so that Tab continues from there.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: HTMLElement[] = [];
    const onFocusIn = (event: FocusEvent) => {
      path = pathOf(event.target);
    };
    const observer = new MutationObserver(() => {
      if (path[0]?.isConnected !== false || document.activeElement !== document.body) return;
      const left = path.find((element) => element.isConnected);
      path = [];
      if (left) focusOnce(left);
    });
    document.addEventListener("focusin", onFocusIn);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      observer.disconnect();
    };
  }, []);
}

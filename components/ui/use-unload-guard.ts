"use client";

import { useEffect } from "react";

/** Confirms closing and reloading the page by the browser's own question, while `isAtStake`. */
export function useUnloadGuard(isAtStake: boolean): void {
  useEffect(() => {
    if (!isAtStake) return;
    const hold = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    window.addEventListener("beforeunload", hold);
    return () => {
      window.removeEventListener("beforeunload", hold);
    };
  }, [isAtStake]);
}

"use client";

import { useEffect } from "react";

import { askOnLeaving } from "./leave-question";
import { useUnloadGuard } from "./use-unload-guard";

const QUESTION = "Leave this page? The secret is shown only here and only once.";

/**
 * Confirms leaving the page while `isAtStake`: closing and reloading it by the browser's own question, Back and
 * Forward between pages of the Console, for which browsers ask nothing, by ours.
 */
export function useLeaveGuard(isAtStake: boolean): void {
  useUnloadGuard(isAtStake);
  useEffect(() => {
    if (!isAtStake) return;
    const { href } = location;
    const state: unknown = history.state;
    return askOnLeaving((event) => {
      if (confirm(QUESTION)) return;
      // The router must not learn of it. A new entry, because the browser does not say how far it went.
      event.stopImmediatePropagation();
      history.pushState(state, "", href);
    });
  }, [isAtStake]);
}

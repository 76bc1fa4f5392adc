export type BudgetLimits = {
  /** Share of time for rendering pages while operations are answered. */
  share: number;
  /** Rendering time that may be used in a burst. */
  burstMs: number;
  /** Time after which a page stops counting; one that takes longer is waiting for the database or for its reader. */
  maxPageMs: number;
  /** Pages rendered concurrently while operations are answered. */
  maxRendered: number;
};

/** Half-life of the operation count. At `BUSY_FROM`, about seven operations a second are being answered. */
const HALF_LIFE_MS = 500;
const BUSY_FROM = 5;

export type PageBudget = {
  noteOperation: () => void;
  /** Milliseconds until a page may be rendered; 0 if it may start now. */
  waitMs: () => number;
  /** Records the start of a page; call the returned function at its end. */
  begin: () => () => void;
};

/**
 * Budget of rendering time for pages: unlimited, except while operations are answered, when pages get only their share.
 */
export function createPageBudget(limits: BudgetLimits, now: () => number = () => performance.now()): PageBudget {
  let leftMs = limits.burstMs;
  let rendered = 0;
  let countedAt = now();
  let recent = 0;
  let recentAt = countedAt;

  function recentOperations(): number {
    const at = now();
    recent *= 0.5 ** ((at - recentAt) / HALF_LIFE_MS);
    recentAt = at;
    return recent;
  }

  function count(): void {
    const at = now();
    const passedMs = at - countedAt;
    countedAt = at;
    const usedMs = rendered > 0 ? passedMs : 0;
    leftMs = Math.max(-limits.burstMs, Math.min(limits.burstMs, leftMs + passedMs * limits.share - usedMs));
  }

  return {
    noteOperation() {
      recent = recentOperations() + 1;
    },
    waitMs() {
      if (recentOperations() < BUSY_FROM) return 0;
      count();
      if (rendered >= limits.maxRendered) return limits.maxPageMs;
      return leftMs > 0 ? 0 : Math.ceil(-leftMs / limits.share) + 1;
    },
    begin() {
      count();
      rendered += 1;
      let isOver = false;
      const end = () => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        count();
        rendered -= 1;
      };
      const timer = setTimeout(end, limits.maxPageMs).unref();
      return end;
    },
  };
}

export type BudgetLimits = {
  /** Share of the time in which pages may be rendered while operations are answered. */
  share: number;
  /** Time that may be used at once. */
  burstMs: number;
  /** Of one page; whoever takes longer waits for the database or for a reader. */
  maxPageMs: number;
  /** Pages that are rendered side by side while operations are answered. */
  maxRendered: number;
};

/** Operations are being answered while there are about seven in a second: those that end count half as much each 500 ms. */
const HALF_LIFE_MS = 500;
const BUSY_FROM = 5;

export type PageBudget = {
  noteOperation: () => void;
  /** Milliseconds until a page may be rendered; 0 when it may be now. */
  waitMs: () => number;
  /** Notes that a page is being rendered; to be called at its end. */
  begin: () => () => void;
};

/** Time for pages: as much as there is, unless operations are answered; then a share of it, so that they have the rest. */
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

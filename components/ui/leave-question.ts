type Question = (event: PopStateEvent) => void;

const questions = new Set<Question>();

/** Asks on each Back and Forward until the returned function is called. Of several questions the newest is asked. */
export function askOnLeaving(question: Question): () => void {
  questions.add(question);
  return () => {
    questions.delete(question);
  };
}

/**
 * Listens before the router does: browsers call the listeners of the window in the order in which they were added, and
 * the router shows the other page at once.
 */
export function listenForLeaving(): void {
  window.addEventListener("popstate", (event) => {
    [...questions].at(-1)?.(event);
  });
}

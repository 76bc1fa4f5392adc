/** Receives statement events: metrics, traces, the slow statement log. */
export type StatementObserver = {
  /** Called when a statement is sent; the returned function is called with its completion or failure. */
  sent: (name: string) => (failure?: unknown) => void;
  /** Called with the time a statement or transaction waited for a connection, in seconds. */
  waited: (seconds: number) => void;
};

const HOLDER = Symbol.for("imprint.statementObserver");
const holder = globalThis as { [HOLDER]?: StatementObserver | undefined };

/** The observer of this process, shared by its two module graphs; usually undefined. */
export const statementObserver = (): StatementObserver | undefined => holder[HOLDER];

export function observeStatements(observer: StatementObserver | undefined): void {
  holder[HOLDER] = observer;
}

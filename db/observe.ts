/** Who is told of statements: metrics, traces, the log of slow ones. */
export type StatementObserver = {
  /** Called when a statement is sent; what it returns is called when the answer is here, or the failure. */
  sent: (name: string) => (failure?: unknown) => void;
  /** Called with the seconds for which a statement or a transaction waited for a connection. */
  waited: (seconds: number) => void;
};

const HOLDER = Symbol.for("imprint.statementObserver");
const holder = globalThis as { [HOLDER]?: StatementObserver | undefined };

/** The observer of this process, shared by its two module graphs; usually nobody. */
export const statementObserver = (): StatementObserver | undefined => holder[HOLDER];

export function observeStatements(observer: StatementObserver | undefined): void {
  holder[HOLDER] = observer;
}

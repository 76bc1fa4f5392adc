/** Longest wait for one statement, and for one transaction, before the client gives up. */
export const STATEMENT_DEADLINE_MS = 5_000;
export const TRANSACTION_DEADLINE_MS = 12_000;
/** The server ends what it works on before. A connection that has shown nothing by then leads nowhere. */
export const SILENCE_MS = STATEMENT_DEADLINE_MS - 100;

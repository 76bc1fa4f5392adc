/** Client-side time limits for one statement and for one transaction. */
export const STATEMENT_DEADLINE_MS = 5_000;
export const TRANSACTION_DEADLINE_MS = 12_000;
/** The server cancels a statement earlier than this. A connection without an answer by then is dead. */
export const SILENCE_MS = STATEMENT_DEADLINE_MS - 100;

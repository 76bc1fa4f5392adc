import examples from "./examples.json";

/** A recorded request of an operation and its responses by status; secrets are shortened. */
export type Example = {
  /** Including the query string. */
  path: string;
  body?: unknown;
  answers: Record<string, unknown>;
};

const EXAMPLES: Record<string, Example> = examples;

/** The example of an operation. `npm run contract:examples` records again those that no longer fit the contract. */
export const exampleOf = (operationId: string): Example | undefined => EXAMPLES[operationId];

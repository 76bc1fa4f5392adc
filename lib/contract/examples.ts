import examples from "./examples.json";

/** A request of an operation and its answers by status, as the service gave them; secrets are shortened. */
export type Example = {
  /** With its query. */
  path: string;
  body?: unknown;
  answers: Record<string, unknown>;
};

const EXAMPLES: Record<string, Example> = examples;

/** The example of an operation. `npm run contract:examples` records those that the contract no longer fits. */
export const exampleOf = (operationId: string): Example | undefined => EXAMPLES[operationId];

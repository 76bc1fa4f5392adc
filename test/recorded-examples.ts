import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { OPERATIONS } from "@/lib/contract";
import { type Example, exampleOf } from "@/lib/contract/examples";
import type { Operation } from "@/lib/contract/operation";
import { PLACEHOLDERS } from "@/lib/interfaces/documents";

const FILE = join(process.cwd(), "lib/contract/examples.json");

type Exchange = { path: string; body?: string | undefined; status: number; answer: string };

/** As shown in documents: keys as their prefix, other secrets as a hash, the service's URL as a placeholder. */
const asShown = (text: string): string =>
  text
    .replaceAll("http://localhost:3000", PLACEHOLDERS.baseUrl)
    .replaceAll(/\b(svc_(?:live|manage|trial)_)\w+/g, "$1…")
    .replaceAll(
      /("(?:claim_token|secret)":\s*")([\w-]*)/g,
      // As long and as random as the contract requires.
      (_, start: string, secret: string) =>
        start + createHash("sha512").update(secret).digest("base64url").slice(0, secret.length),
    );

/** Checks whether the operation still accepts and returns an example. */
function faultsOf(operation: Operation, example: Example | undefined): string[] {
  if (!example) return [`${operation.id} has no example`];
  const statuses = Object.keys(operation.responses);
  const bodyFault =
    operation.body && operation.security !== "origin" && !operation.body.safeParse(example.body).success;
  return [
    ...(bodyFault ? [`${operation.id}: the body of its example is not accepted`] : []),
    ...statuses
      .filter((status) => example.answers[status] === undefined)
      .map((status) => `${operation.id} has no example of ${status}`),
    ...Object.entries(example.answers)
      .filter(([status, answer]) => {
        const schema = operation.responses[Number(status) as 200];
        return schema?.safeParse(answer).success !== true;
      })
      .map(([status]) => `${operation.id}: its example of ${status} does not match the contract`),
  ];
}

/** Faults in the documentation's examples. */
export const faultsOfExamples = (operations: readonly Operation[] = OPERATIONS): string[] =>
  operations.flatMap((operation) => faultsOf(operation, exampleOf(operation.id)));

/**
 * Records requests and responses. An example that still matches the contract is kept, so that recording again changes
 * only what is necessary.
 */
export function recordExamples(operations: readonly Operation[] = OPERATIONS) {
  const recorded: Record<string, Example> = {};
  return {
    add(id: string, { path, body, status, answer }: Exchange): void {
      const { security } = operations.find((operation) => operation.id === id) ?? {};
      const { answers = {} } = recorded[id] ?? {};
      const key = String(status);
      const shown = JSON.parse(asShown(answer)) as unknown;
      // Keeps the most detailed response.
      if (JSON.stringify(answers[key] ?? "").length >= JSON.stringify(shown).length) return;
      recorded[id] = {
        path,
        // Submissions of pages are created by the component and not meant to be read.
        ...(body !== undefined && security !== "origin" && { body: JSON.parse(asShown(body)) as unknown }),
        answers: { ...answers, [key]: shown },
      };
    },
    /** Rewrites the examples file, if requested. */
    async save(): Promise<void> {
      if (process.env["IMPRINT_GENERATE"] !== "true") return;
      const examples = operations.map((operation) => {
        const kept = exampleOf(operation.id);
        return [operation.id, faultsOf(operation, kept).length === 0 ? kept : recorded[operation.id]];
      });
      await writeFile(FILE, `${JSON.stringify(Object.fromEntries(examples), undefined, 2)}\n`);
    },
  };
}

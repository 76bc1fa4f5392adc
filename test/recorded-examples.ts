import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { OPERATIONS } from "@/lib/contract";
import { type Example, exampleOf } from "@/lib/contract/examples";
import type { Operation } from "@/lib/contract/operation";
import { PLACEHOLDERS } from "@/lib/interfaces/documents";

const FILE = join(process.cwd(), "lib/contract/examples.json");

type Exchange = { path: string; body?: string | undefined; status: number; answer: string };

/** As documents show it: keys by their prefix, other secrets by a hash, the service by its placeholder. */
const asShown = (text: string): string =>
  text
    .replaceAll("http://localhost:3000", PLACEHOLDERS.baseUrl)
    .replaceAll(/\b(svc_(?:live|manage|trial)_)\w+/g, "$1…")
    .replaceAll(
      /("(?:claim_token|secret)":\s*")([\w-]*)/g,
      // As long, and as random, as the contract asks for.
      (_, start: string, secret: string) =>
        start + createHash("sha512").update(secret).digest("base64url").slice(0, secret.length),
    );

/** Whether an example is one that the operation takes and answers with today. */
function faultsOf(operation: Operation, example: Example | undefined): string[] {
  if (!example) return [`${operation.id} has no example`];
  const statuses = Object.keys(operation.responses);
  const bodyFault =
    operation.body && operation.security !== "origin" && !operation.body.safeParse(example.body).success;
  return [
    ...(bodyFault ? [`${operation.id}: the body of its example is not taken`] : []),
    ...statuses
      .filter((status) => example.answers[status] === undefined)
      .map((status) => `${operation.id} has no example of ${status}`),
    ...Object.entries(example.answers)
      .filter(([status, answer]) => {
        const schema = operation.responses[Number(status) as 200];
        return schema?.safeParse(answer).success !== true;
      })
      .map(([status]) => `${operation.id}: its example of ${status} is no answer of the contract`),
  ];
}

/** What is wrong with the examples of the documentation. */
export const faultsOfExamples = (operations: readonly Operation[] = OPERATIONS): string[] =>
  operations.flatMap((operation) => faultsOf(operation, exampleOf(operation.id)));

/**
 * Collects what was asked and answered. An example that still fits the contract is kept, so that recording again
 * changes only what has to change.
 */
export function recordExamples(operations: readonly Operation[] = OPERATIONS) {
  const recorded: Record<string, Example> = {};
  return {
    add(id: string, { path, body, status, answer }: Exchange): void {
      const { security } = operations.find((operation) => operation.id === id) ?? {};
      const { answers = {} } = recorded[id] ?? {};
      const key = String(status);
      const shown = JSON.parse(asShown(answer)) as unknown;
      // The answer that shows most.
      if (JSON.stringify(answers[key] ?? "").length >= JSON.stringify(shown).length) return;
      recorded[id] = {
        path,
        // What a page submits is made by the component, and is no text for people.
        ...(body !== undefined && security !== "origin" && { body: JSON.parse(asShown(body)) as unknown }),
        answers: { ...answers, [key]: shown },
      };
    },
    /** Rewrites the file of the examples, where that was asked for. */
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

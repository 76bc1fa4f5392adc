import type { Operation } from "@/lib/contract/operation";
import type { Answer } from "../exchange";
import { jsonAnswer } from "../response";

type AnyReply = {
  status: keyof Operation["responses"];
  headers: Record<string, string>;
} & ({ json: string } | { body: unknown });

/**
 * Serialises a handler's answer. Unless it is stored JSON, it is validated against the schema of its status, so that an
 * undeclared field never gets out.
 *
 * @throws Error for an undeclared status, ZodError for a body that does not match its schema
 */
export function serializeReply({ id, responses }: Operation, reply: AnyReply): Answer {
  const schema = responses[reply.status];
  if (!schema) throw new Error(`${id} answered undeclared status ${reply.status}`);
  const text = "json" in reply ? reply.json : JSON.stringify(schema.parse(reply.body));
  return jsonAnswer(reply.status, text, reply.headers);
}

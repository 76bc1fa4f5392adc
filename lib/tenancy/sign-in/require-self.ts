import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";

/**
 * Whose sessions and sign-in methods a call is about: a person's own, or those of anybody to an operator at the
 * machine.
 *
 * @throws AppError `forbidden`
 */
export function requireSelf({ actor }: Pick<Context, "actor">, userId: string): void {
  if (actor.kind === "operator" || actor.kind === "system") return;
  if (actor.kind === "user" && actor.userId === userId) return;
  throw new AppError("forbidden", { message: "Sessions and sign-in methods are each person's own" });
}

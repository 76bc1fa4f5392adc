import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";

/**
 * Sessions and sign-in methods are accessible to the person, and to operators of the command line.
 *
 * @throws AppError `forbidden`
 */
export function requireSelf({ actor }: Pick<Context, "actor">, userId: string): void {
  if (actor.kind === "operator" || actor.kind === "system") return;
  if (actor.kind === "user" && actor.userId === userId) return;
  throw new AppError("forbidden", { message: "Sessions and sign-in methods are each person's own" });
}

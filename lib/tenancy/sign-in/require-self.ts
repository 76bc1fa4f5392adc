import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";

/**
 * Restricts sessions and sign-in methods to the person they belong to, and to operators on the command line.
 *
 * @throws AppError `forbidden`
 */
export function requireSelf({ actor }: Pick<Context, "actor">, userId: string): void {
  if (actor.kind === "operator" || actor.kind === "system") return;
  if (actor.kind === "user" && actor.userId === userId) return;
  throw new AppError("forbidden", { message: "You can only manage your own sessions and sign-in methods" });
}

import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { type RuleMode, type RuleScope, setRuleMode } from "@/lib/tenancy/rule-modes";
import { ruleById } from "./catalogue";

/**
 * Switches a rule to `observe` or back to `enforce`, in a workspace or the whole instance. A workspace cannot enforce
 * what the instance observes.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function switchRule(context: Context, input: { scope: RuleScope; ruleId: string; mode: RuleMode }) {
  if (!ruleById(input.ruleId)) throw new AppError("not_found", { message: "There is no such rule" });
  return await setRuleMode(context, input);
}

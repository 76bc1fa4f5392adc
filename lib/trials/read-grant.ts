import type { ApiKeyPrincipal } from "@/lib/tenancy/api-keys";
import type { Context } from "@/lib/platform/context";
import type { TrialGrant } from "@/lib/contract/trial";
import { AppError } from "@/lib/contract/errors";
import { describeGrant } from "./domain/describe-grant";
import { findGrant } from "./queries-grants";

/**
 * The grant of a trial key, even if it has ended. Reading it uses nothing up.
 *
 * @throws AppError `trial_key_required`
 */
export async function readGrant({ db }: Pick<Context, "db">, caller: ApiKeyPrincipal): Promise<TrialGrant> {
  const grant = caller.kind === "trial" ? await findGrant(db, caller.workspaceId) : undefined;
  if (!grant) throw new AppError("trial_key_required");
  return describeGrant(grant);
}

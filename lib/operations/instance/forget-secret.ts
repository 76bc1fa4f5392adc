import type { Db } from "@/db/client";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { isKeyInUse } from "@/lib/platform/sealed";
import { isPepperInUse } from "@/lib/tenancy/api-keys";
import { hasManagementKeyUnder } from "@/lib/tenancy/management";
import { deleteSecretCheck } from "./queries";
import { SEALED_STORES } from "./rewrap-secrets";

const hasKeysUnder = async (tx: Db, pepperId: string): Promise<boolean> =>
  (await isPepperInUse(tx, pepperId)) || (await hasManagementKeyUnder(tx, pepperId));

/**
 * Deletes a secret's check value, so that the secret can be replaced or removed at the next startup.
 *
 * @throws AppError `forbidden`, `not_found`, `conflict` for a pepper under which API keys are stored and for a key
 * under which secrets are sealed
 */
export async function forgetSecret(context: Context, input: { secretId: string }) {
  requireOperator(context);
  const { secretId } = input;
  await context.db.transaction(async (tx) => {
    if (secretId.startsWith("pepper:") && (await hasKeysUnder(tx, secretId.slice("pepper:".length)))) {
      throw new AppError("conflict", {
        message: "Keys are stored under this pepper and would stop working. Rotate them first",
      });
    }
    if (secretId.startsWith("kek:") && (await isKeyInUse(tx, SEALED_STORES, secretId.slice("kek:".length)))) {
      throw new AppError("conflict", {
        message: "Secrets are sealed under this key and would be lost. Put another key before it and rewrap them first",
      });
    }
    if (!(await deleteSecretCheck(tx, secretId))) {
      throw new AppError("not_found", { message: "The database has no secret with that id" });
    }
    await recordAudit(tx, context, { workspaceId: SYSTEM_WORKSPACE_ID, action: "secret.forget", target: secretId });
  });
  return { secretId };
}

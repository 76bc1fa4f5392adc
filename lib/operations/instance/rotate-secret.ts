import { rotateSecret as rotateSecretInFile } from "@/db/secrets";
import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { deleteSecretCheck } from "./queries";

export const ROTATABLE_SECRETS = ["AUTH_SECRET", "KEY_PEPPER", "KEKS"] as const;
type SecretName = (typeof ROTATABLE_SECRETS)[number];

/**
 * Generates a new current secret in the secrets file. Data created with an older key of a ring stays valid; rotating
 * `AUTH_SECRET` ends open sign-in links. The service uses the new secret from its next startup.
 *
 * @throws AppError `forbidden`, `conflict` if the secret is set in the environment
 */
export async function rotateSecret(context: Context, input: { name: SecretName; secretsFile: string | undefined }) {
  requireOperator(context);
  const { name, secretsFile } = input;
  if (secretsFile === undefined || env[name] !== undefined) {
    throw new AppError("conflict", {
      message:
        name === "AUTH_SECRET"
          ? "AUTH_SECRET is set in the environment: change it there"
          : `${name} is set in the environment: put the new key before the old ones there, NEW_ID:BASE64,OLD_ID:BASE64`,
    });
  }
  return await context.db.transaction(async (tx) => {
    await recordAudit(tx, context, { workspaceId: SYSTEM_WORKSPACE_ID, action: "secret.rotate", target: name });
    if (name === "AUTH_SECRET") await deleteSecretCheck(tx, "auth");
    return { name, keyId: rotateSecretInFile(secretsFile, name) };
  });
}

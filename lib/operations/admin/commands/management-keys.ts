import { MANAGEMENT_SCOPES } from "@/lib/contract/manage";
import { createManagementKey, listManagementKeys, revokeManagementKey } from "@/lib/tenancy/management";
import { type Command, workspaceOption } from "../command";
import { spanOption } from "../span-option";

export const managementKeyCommands: readonly Command[] = [
  {
    name: "management-key create",
    summary: "Create a key for scripts that manage Web Apps, origins, keys or labels; its secret is shown once",
    options: {
      workspace: workspaceOption,
      name: { value: "NAME", description: "Name of the key", isRequired: true },
      scope: {
        value: "SCOPE",
        description: "What it may manage, may be repeated",
        isRequired: true,
        isRepeatable: true,
        choices: MANAGEMENT_SCOPES,
      },
      expires: { value: "SPAN", description: "Lifetime, e.g. 30d; default 90d, at most 366d" },
    },
    async run(context, given) {
      const key = await createManagementKey(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
        scopes: given.list("scope"),
        expiresAfterSeconds: spanOption(given, "expires"),
      });
      return { key_id: key.keyId, management_key: key.secret, scopes: key.scopes, expires_at: key.expiresAt };
    },
  },
  {
    name: "management-key list",
    summary: "List the management keys of a workspace, without their secrets",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const keys = await listManagementKeys(context, { workspaceId: given.text("workspace") });
      return {
        management_keys: keys.map((key) => ({
          key_id: key.keyId,
          name: key.name,
          scopes: key.scopes,
          state: key.state,
          expires_at: key.expiresAt,
          last_used_at: key.lastUsedAt,
        })),
      };
    },
  },
  {
    name: "management-key revoke",
    summary: "Revoke a management key immediately",
    options: {
      workspace: workspaceOption,
      key: { value: "KEY_ID", description: "Management key, `mkey_…`", isRequired: true },
    },
    async run(context, given) {
      const { keyId } = await revokeManagementKey(context, {
        workspaceId: given.text("workspace"),
        keyId: given.text("key"),
      });
      return { key_id: keyId, state: "revoked" };
    },
  },
];

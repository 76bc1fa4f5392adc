import {
  createKey,
  endOverlap,
  extendOverlap,
  listKeys,
  type Overlap,
  OVERLAP_SECONDS,
  readKeyUses,
  revokeKey,
  revokeUnusedKeys,
  rotateKey,
} from "@/lib/tenancy/api-keys";
import { type Command, workspaceOption } from "../command";
import { spanOption } from "../span-option";

const keyOption = { value: "KEY_ID", description: "API key, `key_…`", isRequired: true } as const;

const isOverlap = (text: string): text is Overlap => Object.hasOwn(OVERLAP_SECONDS, text);
const OVERLAPS = Object.keys(OVERLAP_SECONDS).filter(isOverlap);
const EXTENSIONS = OVERLAPS.filter((overlap) => overlap !== "0");

export const keyCommands: readonly Command[] = [
  {
    name: "key create",
    summary: "Create an API key; its secret is shown once",
    options: {
      workspace: workspaceOption,
      name: { value: "NAME", description: "Name of the key", isRequired: true },
      expires: { value: "SPAN", description: "Lifetime, e.g. 90d; without it, the key does not expire" },
    },
    async run(context, given) {
      const key = await createKey(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
        expiresAfterSeconds: spanOption(given, "expires"),
      });
      return { key_id: key.keyId, api_key: key.apiKey, expires_at: key.expiresAt };
    },
  },
  {
    name: "key rotate",
    summary: "Replace an API key; the old one is accepted until the overlap ends",
    options: {
      workspace: workspaceOption,
      key: keyOption,
      overlap: { value: "SPAN", description: "How long both are accepted; default 24h", choices: OVERLAPS },
    },
    async run(context, given) {
      const overlap = given.optionalChoice("overlap", OVERLAPS);
      const key = await rotateKey(context, { workspaceId: given.text("workspace"), keyId: given.text("key"), overlap });
      return { key_id: key.keyId, api_key: key.apiKey, replaces: key.replaces, overlap_ends_at: key.overlapEndsAt };
    },
  },
  {
    name: "key revoke",
    summary: "Revoke an API key immediately",
    options: { workspace: workspaceOption, key: keyOption },
    async run(context, given) {
      await revokeKey(context, { workspaceId: given.text("workspace"), keyId: given.text("key") });
      return { key_id: given.text("key"), state: "revoked" };
    },
  },
  {
    name: "key revoke-unused",
    summary: "Immediately revoke the API keys that have not been used for 30 days",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const unused = (await listKeys(context, { workspaceId })).filter(({ isUnused }) => isUnused);
      return await revokeUnusedKeys(context, { workspaceId, keyIds: unused.map(({ keyId }) => keyId) });
    },
  },
  {
    name: "key end-overlap",
    summary: "Revoke a replaced API key now, before its overlap ends",
    options: { workspace: workspaceOption, key: keyOption },
    async run(context, given) {
      await endOverlap(context, { workspaceId: given.text("workspace"), keyId: given.text("key") });
      return { key_id: given.text("key"), state: "revoked" };
    },
  },
  {
    name: "key extend-overlap",
    summary: "Accept a replaced API key for longer, counted from now; never beyond its own expiry",
    options: {
      workspace: workspaceOption,
      key: keyOption,
      overlap: { value: "SPAN", description: "For how long", choices: EXTENSIONS, isRequired: true },
    },
    async run(context, given) {
      const extended = await extendOverlap(context, {
        workspaceId: given.text("workspace"),
        keyId: given.text("key"),
        overlap: given.choice("overlap", EXTENSIONS),
      });
      return { key_id: extended.keyId, overlap_ends_at: extended.overlapEndsAt };
    },
  },
  {
    name: "key uses",
    summary: "Show who used an API key in the last 30 days, by hour, including refused calls",
    options: { workspace: workspaceOption, key: keyOption },
    async run(context, given) {
      const { uses } = await readKeyUses(context, { workspaceId: given.text("workspace"), keyId: given.text("key") });
      return {
        uses: uses.map((use) => ({
          last_at: use.lastAt,
          first_at: use.firstAt,
          operation: use.operation,
          refused: use.code,
          address: use.address,
          agent: use.agent,
          calls: use.calls,
          request_id: use.lastRequestId,
        })),
      };
    },
  },
  {
    name: "key list",
    summary: "List the API keys of a workspace, without their secrets",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const rows = await listKeys(context, { workspaceId: given.text("workspace") });
      return {
        keys: rows.map((row) => ({
          key_id: row.keyId,
          name: row.name,
          key: `${row.preview}…${row.lastFour}`,
          state: row.state,
          created_at: row.createdAt,
          last_used_at: row.lastUsedAt,
          expires_at: row.expiresAt,
          unused_for_30_days: row.isUnused,
        })),
      };
    },
  },
];

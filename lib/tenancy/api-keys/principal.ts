import type { Plan } from "@/lib/tenancy/workspaces";
import type { KeyKind } from "./domain/key-format";

export type ApiKeyPrincipal = { workspaceId: string; keyId: string; kind: KeyKind; plan: Plan };

/** `isUseStale`: the recorded last use is more than a minute old. */
export type StoredKey = ApiKeyPrincipal & { isUseStale: boolean };

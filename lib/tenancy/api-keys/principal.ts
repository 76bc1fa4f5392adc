import type { Plan } from "@/lib/tenancy/workspaces";
import type { KeyKind } from "./domain/key-format";

/** Whom an API key stands for. */
export type ApiKeyPrincipal = { workspaceId: string; keyId: string; kind: KeyKind; plan: Plan };

/** A key as it is read: its last noted use may lie too far back. */
export type StoredKey = ApiKeyPrincipal & { isUseStale: boolean };

import type { Action } from "@/components/ui/action-result";

type Of<What extends string, Key> = { what: What; workspaceId: string } & Key;

/** What someone is about to end or delete. */
export type Asked =
  | Of<"webApp", { webAppId: string; origin?: string | undefined }>
  | Of<"retention", { days: number | null }>
  | Of<"key", { keyId: string }>
  | Of<"member", { userId: string }>
  | Of<"view", { viewId: string }>
  | Of<"device", { deviceId: string }>
  | Of<"account", { accountRef: string }>;

/** The action that describes the consequences, one sentence each. */
export type ReadConsequences = Action<Asked, string[]>;

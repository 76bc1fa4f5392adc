import type { ServiceSecrets } from "@/lib/platform/secrets";
import type { Sandbox } from "../sandbox/sandbox";

/** Where a purchase happens. */
export type World = {
  databaseUrl: string;
  secrets: ServiceSecrets;
  variables: Sandbox["variables"] & { X402_SETTLE_TIMEOUT_S: number; X402_MAX_TIMEOUT_S: number };
  leaseSeconds: number;
};

/** What a killable process does: present a payment, or without one read the status, which helps an unresolved payment along. */
export type Order = {
  world: World;
  intentId: string;
  signature?: string | undefined;
  isNaive: boolean;
};

import { cookies } from "next/headers";

import { baseUrl } from "@/lib/platform/env";
import { open, seal } from "@/lib/platform/sealed";

const NAME = "account-reference";
const SECONDS = 8 * 3_600;

const boundTo = (accountId: string) => `${NAME} ${accountId}`;

/**
 * The cookie by which the page of an account shows the reference that the person searched for. The service stores no
 * reference: it stays in the person's own browser, sealed, and is sent to that page alone.
 */
export function referenceCookie(path: string, accountId: string, reference: string): string {
  const value = encodeURIComponent(seal(reference, boundTo(accountId)));
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** The reference that the person searched for when this account was found; undefined for another account's, and later. */
export async function readReference(accountId: string): Promise<string | undefined> {
  const sealed = (await cookies()).get(NAME)?.value;
  if (sealed === undefined) return undefined;
  try {
    return open(sealed, boundTo(accountId));
  } catch {
    return undefined;
  }
}

import { cookies } from "next/headers";

import { baseUrl } from "@/lib/platform/env";
import { open, seal } from "@/lib/platform/sealed";

const NAME = "account-reference";
const SECONDS = 8 * 3_600;

const boundTo = (accountId: string) => `${NAME} ${accountId}`;

/**
 * Cookie with the reference that the person searched for, shown on the page of its account. The service stores no
 * reference: it stays in the person's own browser, sealed, and is sent only to that page.
 */
export function referenceCookie(path: string, accountId: string, reference: string): string {
  const value = encodeURIComponent(seal(reference, boundTo(accountId)));
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** The reference with which the person found this account; undefined for other accounts, and after it expires. */
export async function readReference(accountId: string): Promise<string | undefined> {
  const sealed = (await cookies()).get(NAME)?.value;
  if (sealed === undefined) return undefined;
  try {
    return open(sealed, boundTo(accountId));
  } catch {
    return undefined;
  }
}

import { headers } from "next/headers";

/** The nonce of this response's Content-Security-Policy, set on the request by the server entry. */
export async function policyNonce(): Promise<string | undefined> {
  const policy = (await headers()).get("content-security-policy") ?? "";
  return /'nonce-([^']+)'/.exec(policy)?.[1];
}

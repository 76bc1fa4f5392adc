/** Not part of the package's types: its guard of the connections that it opens to addresses which strangers name. */
declare module "oidc-provider/lib/helpers/fetch_request.js" {
  type Guarded = { on(event: "connect", listener: (origin: URL, targets: readonly unknown[]) => void): unknown };
  export function applySSRFProtection<T extends Guarded>(dispatcher: T): T;
  export function isSpecialUseIP(address: string): boolean;
}

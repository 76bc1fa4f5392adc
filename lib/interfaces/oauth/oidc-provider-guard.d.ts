/** Missing from the package's types: its SSRF protection for connections to addresses that strangers supply. */
declare module "oidc-provider/lib/helpers/fetch_request.js" {
  type Guarded = { on(event: "connect", listener: (origin: URL, targets: readonly unknown[]) => void): unknown };
  export function applySSRFProtection<T extends Guarded>(dispatcher: T): T;
  export function isSpecialUseIP(address: string): boolean;
}

/** A schema-validated EIP-3009 authorization of a payment payload. Numbers are decimal strings. */
type Authorization = { to: string; value: string; validAfter: string; validBefore: string };

type Agreed = { payTo: string; amount: string; maxTimeoutSeconds: number };

/** Tolerated clock skew of buyers. */
const SKEW_SECONDS = 30n;
/** Source: @x402/evm. The facilitator rejects an authorization that expires sooner. */
const MIN_SECONDS = 6n;

/**
 * Why an authorization cannot pay the agreed amount, as an x402 reason code; undefined if it can. Its expiry is bounded,
 * since an unclear payment cannot be resolved before it.
 */
export function findObjection(
  { to, value, validAfter, validBefore }: Authorization,
  { payTo, amount, maxTimeoutSeconds }: Agreed,
  nowSeconds: number,
): string | undefined {
  const now = BigInt(nowSeconds);
  if (to.toLowerCase() !== payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch";
  if (BigInt(value) !== BigInt(amount)) return "invalid_exact_evm_payload_authorization_value_mismatch";
  if (BigInt(validAfter) > now + SKEW_SECONDS) return "invalid_exact_evm_payload_authorization_valid_after";
  const [soonest, latest] = [now + MIN_SECONDS, now + BigInt(maxTimeoutSeconds) + SKEW_SECONDS];
  const ends = BigInt(validBefore);
  return ends < soonest || ends > latest ? "invalid_exact_evm_payload_authorization_valid_before" : undefined;
}

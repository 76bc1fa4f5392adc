/** An authorization of EIP-3009 in a payment payload, validated before. Numbers are decimal text. */
type Authorization = { to: string; value: string; validAfter: string; validBefore: string };

type Agreed = { payTo: string; amount: string; maxTimeoutSeconds: number };

/** Tolerated clock skew of buyers. */
const SKEW_SECONDS = 30n;
/** Source: @x402/evm. The facilitator refuses an authorization that ends sooner. */
const MIN_SECONDS = 6n;

/**
 * Why an authorization cannot pay the agreed amount, as a reason code of x402; undefined when it can. Its end is bounded,
 * because until then it may be used and an unclear payment cannot be resolved.
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

/** An authorization of EIP-3009 as a payment payload carries it, its form already checked. Numbers are decimal text. */
type Authorization = { to: string; value: string; validAfter: string; validBefore: string };

type Agreed = { payTo: string; amount: string; maxTimeoutSeconds: number };

/** The clocks of buyers may be this far ahead. */
const SKEW_SECONDS = 30n;
/** Source: @x402/evm. The facilitator refuses an authorization that ends sooner. */
const LEAST_SECONDS = 6n;

/**
 * Why an authorization cannot pay what was agreed, as a reason code of x402; nothing when it can. Its end is bounded,
 * because until then it may be used and an unclear payment cannot be called dead.
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
  const [soonest, latest] = [now + LEAST_SECONDS, now + BigInt(maxTimeoutSeconds) + SKEW_SECONDS];
  const ends = BigInt(validBefore);
  return ends < soonest || ends > latest ? "invalid_exact_evm_payload_authorization_valid_before" : undefined;
}

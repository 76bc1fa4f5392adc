type AuditValue = string | number | boolean | null | readonly string[];

/** What changed: names, ids and plain values. */
export type AuditDetail = Readonly<Record<string, AuditValue>>;

/** An API key, a token or hash (64 consecutive hex digits), or a webhook signing secret. Identifiers are shorter. */
const SECRET_LIKE = /svc_(?:live|trial|manage)_[0-9A-Za-z]{38}|whsec_[A-Za-z0-9+/=]{32,}|[0-9a-f]{64}/g;

const redact = (value: string) => value.replaceAll(SECRET_LIKE, "[redacted]");

function clean(value: AuditValue): AuditValue {
  if (typeof value === "string") return redact(value);
  return isList(value) ? value.map(redact) : value;
}

/** `Array.isArray` does not narrow read-only arrays. */
const isList = (value: AuditValue): value is readonly string[] => Array.isArray(value);

/** Redacts credentials that a user may have pasted into a name. */
export const withoutSecrets = (detail: AuditDetail): Record<string, AuditValue> =>
  Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, clean(value)]));

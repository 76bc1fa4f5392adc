/** SQL for a UUIDv7 at the instant `at`, unique per `salt`. */
export const eventIdAt = (at: string, salt: string) => `
  (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${salt}), 1, 3)
    || '8' || substr(md5('event' || ${salt}), 1, 15))::uuid`;
